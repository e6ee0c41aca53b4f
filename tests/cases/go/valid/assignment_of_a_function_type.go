package p

func f() {
	func() int = x
}
