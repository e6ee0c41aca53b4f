package p

func f() {
	a:
	b: c: f()
	d: for {}
	e: ;
	g: {}
	h:
}
