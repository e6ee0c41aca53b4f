package p

var (
	a = []int
	b = chan int + map[K]V
	c = func()
	d = []func() + x
	e = <-chan int
	g = <-chan<- chan int
	h = *[]int
	i = []p.T.x
	j = chan p.T.(U)
	k = struct{}.x
	l = func(int).x
)
