package p
var é int
