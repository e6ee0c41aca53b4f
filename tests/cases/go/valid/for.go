package p

func f() {
	for {
	}
	for x {
	}
	for i := 0; i < 10; i++ {
	}
	for ;; {
	}
	for ; x; {
	}
	for i := 0;; i++ {
	}
	for ;; x, y = 1, 2 {
	}
	for i := 0
	i < 3
	i++ {
	}
	for range x {
	}
	for x = range y {
	}
	for x, y := range []int{1, 2} {
	}
	for range 10 {
	}
	for i := range 10 {
	}
	for p.x, a[0] = range f(T{}) {
	}
	for x := range func(yield func(int) bool) {} {
	}
	for ;; c <- x {
	}
}
