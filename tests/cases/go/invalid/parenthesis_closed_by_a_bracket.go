package p

var x = f(1]
