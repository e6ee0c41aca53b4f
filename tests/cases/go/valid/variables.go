package p

var a int
var b, c = 1, 2
var d, e []int = nil, nil
var (
	g, h T
	i = 1; j = 2
)
