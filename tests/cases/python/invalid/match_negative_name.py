match a:
    case -b: pass
