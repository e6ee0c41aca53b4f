package p

func f() {
	switch x { case 1: f() case 2: g() }
}
