(a, b): c
