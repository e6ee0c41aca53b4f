lambda: a
lambda a: b
lambda a, b=c: d
lambda a, /, b, *, c: d
lambda *a, b, **c: d
lambda **a,: b
lambda a=lambda: b: c
lambda: lambda: a
lambda: a if b else c
lambda: (yield)
lambda a, /: b
lambda a=1, /, b=2, *, c, d=3: e
