# versions: 3.8-3.9
match a:
    case b if c: pass
    case b if c := d: pass
    case b, c if d if e else f: pass
