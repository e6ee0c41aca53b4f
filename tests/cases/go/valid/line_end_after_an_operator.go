package p

var x = 1 +

	2 *
	3
