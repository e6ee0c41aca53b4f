a: b
a: b = 1
a.b: c
a[b]: c = d
(a): b
(a.b): c = 1
a: b = c, d
a: b = *c, d
a: b = yield
a: lambda: b
a: (b, c)
