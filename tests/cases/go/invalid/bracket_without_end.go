package p

func f() {
