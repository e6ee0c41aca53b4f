package p

func f() {
	import "a"
}
