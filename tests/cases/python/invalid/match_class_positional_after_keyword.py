match a:
    case B(c=1, d): pass
