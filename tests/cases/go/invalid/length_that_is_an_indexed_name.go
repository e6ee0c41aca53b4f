package p

type T [a[0]]int
