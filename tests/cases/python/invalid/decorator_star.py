@*a
def f(): pass
