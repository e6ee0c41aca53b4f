package p

var ٣x int
