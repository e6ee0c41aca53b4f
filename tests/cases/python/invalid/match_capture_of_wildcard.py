match a:
    case b as _: pass
