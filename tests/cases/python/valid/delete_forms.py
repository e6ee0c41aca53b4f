del a
del a,
del a, b.c, d[e]
del (a)
del (a, b), [c, (d,)]
del ()
del []
del (a.b)
del f().a
