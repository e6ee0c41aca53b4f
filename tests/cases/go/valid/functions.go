package p

func a()
func b() {}
func c(int, string) int { return 0 }
func d(x, y int, z ...string) (r int, err error) { return }
func (t T) e() {}
func (t *T[P]) g(a [3]int, b []int, c List[int]) [2]int { return nil }
func i() (int) { return 1 }
func j(a, b) (func(), error) {}
func k(x func(int) int) func() func() { return nil }
