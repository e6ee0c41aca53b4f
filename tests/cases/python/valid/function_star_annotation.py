# versions: 3.11-
def f(*a: *b): pass
