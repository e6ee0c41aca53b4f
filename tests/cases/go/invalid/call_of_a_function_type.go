package p

var x = []func()(1)
