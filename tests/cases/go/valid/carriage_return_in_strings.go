package p
var x = "ab" + `c
d`
