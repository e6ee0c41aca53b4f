package p

var Ⅷ int
