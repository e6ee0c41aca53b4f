# versions: 3.8-3.9
x[a := b, c]
