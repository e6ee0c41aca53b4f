package p

func f(a p.T, q.U) {}
