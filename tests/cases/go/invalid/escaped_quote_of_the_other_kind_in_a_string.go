package p

var x = "\'"
