package p

var x = '\uDFFF'
