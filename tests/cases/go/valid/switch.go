package p

func f() {
	switch {
	}
	switch x {
	case 1, 2:
		f()
		fallthrough
	case []int{1}[0]:
	default:
		g()
	}
	switch x := f(); {
	case true:
	}
	switch x := f(); x {
	}
	switch ; {
	}
	switch x; x.(type) {
	case int, []string, nil, func():
	}
	switch y := x.(type) {
	default:
	}
	switch x.y = 1; z := f().(type) {
	}
	switch x := x.(T); x {
	case a: b: c()
	case d: { }
	}
}
