package p

var x
