# versions: 3.10-
match a:
    case f'b': pass
