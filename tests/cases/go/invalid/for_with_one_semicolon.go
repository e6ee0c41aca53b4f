package p

func f() {
	for x; y {
	}
}
