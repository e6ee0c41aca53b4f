# versions: 3.8-3.9
match a:
    case 1 | -1 | 1.5 | 1j | -1j | 1 + 1j | -1.5 - 2j: pass
    case 'a' 'b' | b'c' | r'd': pass
    case None | True | False: pass
