a = 3and b
