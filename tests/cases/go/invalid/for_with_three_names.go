package p

func f() {
	for x, y, z := range w {
	}
}
