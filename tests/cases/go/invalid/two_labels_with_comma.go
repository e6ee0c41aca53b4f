package p

func f() {
	a, b: f()
}
