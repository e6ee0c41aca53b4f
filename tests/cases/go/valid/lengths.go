package p

type A [n]int
type B [p.N]int
type C [2 * n]int
type D [P * Q]int
type E [f(x)]int
type F [(a[0])]int
type G [len(x)][2]int
type H [P | Q]int
type I [n{1}[0]]int
type J [p.n[0]]int
