package p

func f() {
	select {
	case x, y:
	}
}
