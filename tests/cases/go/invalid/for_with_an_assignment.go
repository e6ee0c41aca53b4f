package p

func f() {
	for x := 1 {
	}
}
