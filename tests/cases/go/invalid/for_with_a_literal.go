package p

func f() {
	for x := range T{} {
	}
}
