package p

type I interface { m[P any](x P) }
