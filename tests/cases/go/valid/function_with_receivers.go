package p

func (T) a() {}
func (T, U) b() {}
func () c() {}
func (x [n]T) d() {}
