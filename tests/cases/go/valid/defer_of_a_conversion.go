package p

func f() {
	defer T(x)
	defer []int(x)
	defer f()()
}
