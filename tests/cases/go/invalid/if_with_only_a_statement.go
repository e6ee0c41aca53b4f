package p

func f() {
	if x := 1; {
	}
}
