def f(): pass
def f(a, b): pass
def f(a, b=1, *c, d, e=2, **g): pass
def f(a, /): pass
def f(a, /, b, *, c): pass
def f(a=1, /, b=2): pass
def f(*, a, b=1, c): pass
def f(*a: b, **c: d) -> e: pass
def f(a: b = c, *, d: e = f): pass
def f(a,): pass
def f(*a,): pass
def f(**a,): pass
def f(match, case, type, _): pass
def match(): pass
async def f(): await g
def f() -> lambda: a: pass
