package p

type T[P *1, Q any] int
type U[P (2 + 3),] = int
