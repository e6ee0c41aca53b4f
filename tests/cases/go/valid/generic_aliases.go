package p

type A[P any] = B[P]
type C[P *[]int, Q any] = map[P]Q
type D[P *[]int] = P
type E[P (func())] = P
type F[P *Q | ~int] = P
