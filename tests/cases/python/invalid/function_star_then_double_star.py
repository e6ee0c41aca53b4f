def f(*, **a): pass
