# versions: 3.8-3.9
match a:
    case 1: pass
match a, b:
    case _: pass
match *a, b:
    case _: pass
match (a):
    case _: pass
match -a:
    case _: pass
match a := b:
    case _: pass
match match:
    case case: pass
match a,:
    case b,: pass
match {}:
    case {}: pass
match lambda: a:
    case _: pass
