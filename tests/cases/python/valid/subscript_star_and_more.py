# versions: 3.11-
a[b:c, *d] = e
