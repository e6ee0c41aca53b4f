package p

var x int /* no
