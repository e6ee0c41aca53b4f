package p

func f() {
	x = 1
	x, y := 1, 2
	x, y = y, x
	x += 1
	a, b <<= 2, 3
	x &^= y
	x++
	p.y--
	c <- x
	<-c
	f()
	go f()
	defer func() {}()
	go p.f[int](xs...)
	{
		;
	}
	var y int
	const z = 1
	type T int
	return
}
