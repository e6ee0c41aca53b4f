package p

var x = 0b12
