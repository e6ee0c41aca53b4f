a: b, c
