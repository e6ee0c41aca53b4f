package p

const a = 1
const b, c int = 2, 3
const (
	d = iota
	e
	g float64
)
const ()
