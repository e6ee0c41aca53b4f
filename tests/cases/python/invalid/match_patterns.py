# versions: 3.8-3.9
match a:
    case b: pass
    case b.c.d: pass
    case (b): pass
    case b | c as d: pass
    case (b as c) | d: pass
    case []: pass
    case ()   : pass
    case [b, *c, d]: pass
    case b, *_, c: pass
    case (b, c) as d: pass
    case *b,: pass
    case (*b,): pass
    case [b,]: pass
    case match | case | type: pass
    case _ as b: pass
