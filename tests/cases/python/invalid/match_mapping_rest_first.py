match a:
    case {**b, 'c': d}: pass
