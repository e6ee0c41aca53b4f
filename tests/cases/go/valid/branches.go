package p

func f() {
	L:
	for {
		break
		break L
		continue
		continue L
		goto L
	}
	fallthrough
	M:
}
