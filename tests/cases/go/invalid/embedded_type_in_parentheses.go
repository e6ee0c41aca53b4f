package p

type T struct { (U) }
