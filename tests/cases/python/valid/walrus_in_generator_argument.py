# versions: 3.9-
f(a := b for b in c)
