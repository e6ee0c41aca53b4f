match a:
    case _.b: pass
