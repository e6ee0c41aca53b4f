# versions: 3.9-
@lambda f: f
def f(): pass
