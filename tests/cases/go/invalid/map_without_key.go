package p

var x map[]int
