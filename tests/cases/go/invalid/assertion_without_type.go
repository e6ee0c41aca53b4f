package p

var x = y.()
