package p

func f() {
	if {
	}
}
