package p

func f() {
	return 1, f(), []int{1}
}
