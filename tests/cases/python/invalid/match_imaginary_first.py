match a:
    case 1j + 2j: pass
