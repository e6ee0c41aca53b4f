package p

func f[P [...]int]() {}
