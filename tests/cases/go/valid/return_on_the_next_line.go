package p

func f() {
	return
	1
}
