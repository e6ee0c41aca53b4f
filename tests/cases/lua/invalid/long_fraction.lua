a = 1.5LL
