package p

type T
