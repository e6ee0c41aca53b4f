package p

var x, y = a[1+2, T], b[i, []int,]
