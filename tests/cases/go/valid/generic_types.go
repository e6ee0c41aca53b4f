package p

type A[P any] struct{}
type B[P, Q any, R interface{ ~int | string }] []P
type C[P *int,] int
type D[P []Q, Q any] map[P]Q
type E[P ~[]int | ~string | p.Q[int]] int
type F[P interface{ m() }] int
type G[P *[]int] int
type H[P (interface{})] int
type I[P chan int] int
type J[_ any] int
type K[P [2]int] int
type L[P func() | func() int] int
