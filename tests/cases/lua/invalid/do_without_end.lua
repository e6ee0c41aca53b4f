do a = 1
