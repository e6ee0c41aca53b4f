raise a, b
