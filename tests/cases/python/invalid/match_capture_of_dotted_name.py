match a:
    case b as c.d: pass
