package p

var x int
import "a"
