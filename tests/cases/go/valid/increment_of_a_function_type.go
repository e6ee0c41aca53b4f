package p

func f() {
	func()i++
}
