a = 3.x
