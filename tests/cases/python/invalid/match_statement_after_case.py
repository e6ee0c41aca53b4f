match a:
    case b: pass
    c
