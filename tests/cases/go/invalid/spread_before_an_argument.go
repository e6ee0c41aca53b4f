package p

var x = f(xs..., y)
