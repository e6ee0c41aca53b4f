# versions: 3.10-
x[a := b, c]
