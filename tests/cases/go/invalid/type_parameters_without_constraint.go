package p

type T[P, Q] int
