package p

type I interface {
	m()
	n(int, ...string) (x int, err error)
	p.J
	K[int]
	L[int,]
	~int | ~[]string | M | N[int] | *O
	(P)
	[]int | chan int
	struct{}
	o() func() int; q()
	p.R[int, string]
	S[1 + 2]
}
