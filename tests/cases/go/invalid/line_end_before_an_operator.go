package p

var x = 1
	+ 2
