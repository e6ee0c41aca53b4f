package p

func f() {
	for var i = 0; i < 1; i++ {
	}
}
