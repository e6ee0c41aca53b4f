package p

type T struct { a [...]int }
