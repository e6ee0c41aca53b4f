package p

var x = T{a: 1; b: 2}
