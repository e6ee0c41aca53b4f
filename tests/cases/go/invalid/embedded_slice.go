package p

type T struct { []int }
