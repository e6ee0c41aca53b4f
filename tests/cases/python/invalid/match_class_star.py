match a:
    case B(*c): pass
