package p

var x = f(){}
