package p

var x = 1_.5
