package p

func f {}
