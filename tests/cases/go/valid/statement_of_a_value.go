package p

func f() {
	1
	"a"
	-x
	func() {}
	[]int{}
	x.(type)
}
