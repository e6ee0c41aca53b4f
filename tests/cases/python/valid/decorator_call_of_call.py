# versions: 3.9-
@a()()
def f(): pass
