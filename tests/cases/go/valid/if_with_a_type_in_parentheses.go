package p

func f() {
	if (T) {
	}
	if (chan int) {
	}
	if (x == []int{}) {
	}
}
