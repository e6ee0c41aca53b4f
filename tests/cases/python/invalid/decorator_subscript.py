# versions: 3.8
@a[b]
def f(): pass
