# versions: 3.8-3.9
match a:
    case f'b': pass
