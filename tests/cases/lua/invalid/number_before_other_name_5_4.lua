-- versions: 5.4-
a = 3g = 4
