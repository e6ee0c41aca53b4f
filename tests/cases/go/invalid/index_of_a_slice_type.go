package p

var x = []T[0]
