package p

var $x int
