package p

type T struct {
	a, b int
	c    []T `tag`
	U
	*V
	p.W "tag"
	*p.X[int]
	Y[int, string]
	d [3]int; e [n]map[K]V
	f, g [...]int
	_ func(int) (x, y int)
	h struct{ i int }
}
type U struct{ x int }
