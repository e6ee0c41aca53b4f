# versions: 3.8-3.9
match a:
    case {}: pass
    case {'b': c, -1: d, None: e, f.g: h}: pass
    case {'b': c, **d}: pass
    case {**b,}: pass
    case {1 + 2j: b as c,}: pass
