package p

var (
	a = x.y.z
	b = (x)
	c = x[0][1:2][:][1:][:2][:1:2][1:2:3]
	d = f()()(1, 2)(xs...)
	e = x.(T).(p.U).(func() int)
	g = func(x int) int { return x }(1)
	h = []int{1, 2: 3, {4}, {5: {6}}: 7}
	i = [...]T{{}, {1}}
	j = map[string][]int{"a": {1}, `b`: nil}
	k = struct{ x int }{1}
	l = p.T{x: 1}.x
	m = T[int]{}
	n = &[]*T{{1}}
	o = a.b[i].c{}
	q = x.(type)
)
