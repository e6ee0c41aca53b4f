package p

var x chan
