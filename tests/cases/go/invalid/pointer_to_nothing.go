package p

var x *
