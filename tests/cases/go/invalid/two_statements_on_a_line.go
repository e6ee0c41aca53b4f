package p

func f() {
	f() g()
}
