# versions: 3.8
del *a, b
