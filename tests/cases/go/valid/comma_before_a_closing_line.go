package p

var x = f(
	1,
	2,
)
var y = T{
	1,
}
var z = g(
	xs...,
)
