package p

var x := 1
