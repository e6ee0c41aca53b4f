package p

func f() {
	x = func() <- y
}
