package p

func f() {
	f(func() {
		if x == y {
			z = T{}
		}
	})
}
