package p

var x = a[1,]
