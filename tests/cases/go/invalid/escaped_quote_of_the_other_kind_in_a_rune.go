package p

var x = '\"'
