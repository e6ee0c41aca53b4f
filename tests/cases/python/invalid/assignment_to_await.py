await a.b = 1
