package p

type I interface { a, b() }
