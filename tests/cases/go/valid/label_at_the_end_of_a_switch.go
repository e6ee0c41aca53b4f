package p

func f() {
	switch {
	case true:
		L:
	}
}
