package p

var x map[1]int
