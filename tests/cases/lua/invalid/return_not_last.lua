return 1 a = 2
