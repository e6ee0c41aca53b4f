package p

var x = []T.(U)
