type X = a, b
