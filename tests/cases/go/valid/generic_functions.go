package p

func f[P any](x P) P { return x }
func g[K comparable, V int | float64,](m map[K]V) {}
func h[P *T, Q (T)](P, Q) {}
