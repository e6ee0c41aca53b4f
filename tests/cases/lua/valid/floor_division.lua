-- versions: 5.3-
a = b // c
