package p

var x = a[T, 1]
