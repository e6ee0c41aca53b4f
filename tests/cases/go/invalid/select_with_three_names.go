package p

func f() {
	select {
	case x, y, z := <-c:
	}
}
