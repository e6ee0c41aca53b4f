package p

var x = 1p5
