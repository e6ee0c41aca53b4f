package p

type T [a[0] + 1]int
