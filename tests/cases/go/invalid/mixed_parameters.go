package p

func f(a int, string, b) {}
