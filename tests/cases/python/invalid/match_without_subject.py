match:
    case a: pass
