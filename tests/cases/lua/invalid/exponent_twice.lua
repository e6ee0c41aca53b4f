a = 3e4e5
