package p

func f() {
	case 1:
}
