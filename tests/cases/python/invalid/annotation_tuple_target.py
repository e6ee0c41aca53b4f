a, b: c
