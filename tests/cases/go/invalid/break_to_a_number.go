package p

func f() {
	break 1
}
