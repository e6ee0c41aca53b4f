package p

var (
	a = []byte("x")
	b = (*T)(p)
	c = (<-chan int)(x)
	d = <-chan int(x)
	e = chan int(x)
	g = (func())(x)
	h = func(int) string(x)
	i = map[K]V(x)
	j = interface{}(x)
	k = []p.T(x)
	l = []T[int](x)
	m = struct{}(x)
	n = (chan<- (chan int))(x)
)
