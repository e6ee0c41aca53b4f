# versions: 3.8-3.9
match a:
    case B(): pass
    case B(c, d.e, 1): pass
    case B(c, d=e): pass
    case b.C(d=1, _=_, match=2,): pass
    case B(C(d=[e, *f])): pass
