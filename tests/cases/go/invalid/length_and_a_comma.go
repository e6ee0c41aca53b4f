package p

type T [P | Q, R any] int
