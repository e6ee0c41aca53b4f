package p

func f([...]int) {}
