a:b = 1
