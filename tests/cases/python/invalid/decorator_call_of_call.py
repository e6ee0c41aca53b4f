# versions: 3.8
@a()()
def f(): pass
