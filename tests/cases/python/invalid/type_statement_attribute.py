type a.b = c
