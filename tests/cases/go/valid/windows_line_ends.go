package p

var x = 1
func f() {
	return
}
