package p

func f() {
	(a): f()
}
