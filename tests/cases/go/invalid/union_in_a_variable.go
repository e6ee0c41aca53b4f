package p

var x int | string
