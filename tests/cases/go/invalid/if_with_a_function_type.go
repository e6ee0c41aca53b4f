package p

func f() {
	if func() bool {
	}
}
