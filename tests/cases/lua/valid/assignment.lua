a, b.c, d[1] = 1, "two", {}
