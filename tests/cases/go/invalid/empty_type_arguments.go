package p

var a List[]
