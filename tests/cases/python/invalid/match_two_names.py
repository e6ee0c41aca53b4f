match a:
    case b as c as d: pass
