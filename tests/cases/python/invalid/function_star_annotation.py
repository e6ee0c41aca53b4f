# versions: 3.8-3.10
def f(*a: *b): pass
