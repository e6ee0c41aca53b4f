match a:
    case B()(): pass
