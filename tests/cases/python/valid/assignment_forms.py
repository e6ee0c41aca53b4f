a = 1
a = b = c
a, b = b, a
a.b = c[d] = e
(a), [b, (c, d)] = e
*a, b = c
[*a] = (b, *c)
() = [] = a
(a) = (b.c) = 1
a().b = a[b](c).d = 1
(a for a in b).c = "a".b = 1 .c = 1
a = yield
a = b = yield c
a = await b
