package p

var x = func() * T
