package p

func f() {
	select {}
	select {
	case <-c:
	case x := <-c:
	case x, ok = <-c:
		f()
	case c <- x:
	case f():
	case a[0] = <-c:
	default:
	}
}
