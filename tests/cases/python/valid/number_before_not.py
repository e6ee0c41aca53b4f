x = 1not in y
