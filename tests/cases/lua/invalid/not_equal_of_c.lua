a = b != c
