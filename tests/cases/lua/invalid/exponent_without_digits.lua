a = 3e
