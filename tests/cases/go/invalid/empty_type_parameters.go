package p

func f[]() {}
