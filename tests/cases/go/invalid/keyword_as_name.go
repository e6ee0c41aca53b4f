package p

var range int
