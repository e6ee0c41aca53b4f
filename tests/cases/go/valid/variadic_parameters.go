package p

func a(...int) {}
func b(x, y int, z ...func()) {}
func c(int, ...string,) {}
func d(x ...[]int,) {}
