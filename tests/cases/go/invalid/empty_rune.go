package p

var x = ''
