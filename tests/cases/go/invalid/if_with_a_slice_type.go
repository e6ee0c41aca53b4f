package p

func f() {
	if []int {
	}
}
