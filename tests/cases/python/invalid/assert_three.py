assert a, b, c
