package p

var x = 08
