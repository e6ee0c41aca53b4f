# versions: 3.9-
del *a, b
