lambda: a = 1
