match a:
    case 1 + 2: pass
