package p

func f() {
	switch x := 1 {
	}
}
