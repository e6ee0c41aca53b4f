match a:
    case {**_}: pass
