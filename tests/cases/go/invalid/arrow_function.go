package p

var f = x => x
