package p

var x = f()
	.g()
