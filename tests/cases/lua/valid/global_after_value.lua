a = global b = 1
