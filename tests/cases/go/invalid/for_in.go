package p

func f() {
	for x in y {
	}
}
