# versions: 3.8
@lambda f: f
def f(): pass
