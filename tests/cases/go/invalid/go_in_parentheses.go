package p

func f() {
	go (f())
}
