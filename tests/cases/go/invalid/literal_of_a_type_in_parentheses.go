package p

var x = (T){}
