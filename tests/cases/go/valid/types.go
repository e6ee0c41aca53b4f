package p

type (
	A int
	B = string
	C struct{}
	D interface{}
	E []int
	F [3]map[string]*p.T
	G [...]int
	H chan<- <-chan int
	I <-chan (chan<- int)
	J func(int, ...string) (x, y int, err error)
	K func() func() func()
	L (int)
	M *(*int)
	N chan func() chan int
)
