def f(a, *,): pass
