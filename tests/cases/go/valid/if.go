package p

func f() {
	if x {
	}
	if x := f(); x > 0 {
	} else if y {
	} else {
	}
	if ; x {
	}
	if x
	y {
	}
	if x == (T{}) {
	}
	if f(T{}) || a[T{}.x] {
	}
	if []int{1}[0] == 1 {
	}
	if struct{}{} == x {
	}
	if func() bool { return T{} == x }() {
	}
	if c <- x; y {
	}
	if (x) {
	}
	if *x {
	}
	if ~x {
	}
	if chan int {
	}
	if interface{} {
	}
	if x.(interface{}) == nil {
	}
}
