-- versions: 5.4-
a = 3or b
