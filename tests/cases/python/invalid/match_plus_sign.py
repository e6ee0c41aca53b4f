match a:
    case +1: pass
