package p

func f() {
}
}
