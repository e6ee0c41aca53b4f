# versions: 3.8
f(a := b for b in c)
