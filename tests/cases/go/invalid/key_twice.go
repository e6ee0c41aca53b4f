package p

var x = T{a: b: c}
