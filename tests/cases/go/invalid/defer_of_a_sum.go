package p

func f() {
	defer f() + 1
}
