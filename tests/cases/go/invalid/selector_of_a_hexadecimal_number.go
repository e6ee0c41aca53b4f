package p

var x = 0x1.f
