var \u0031a = 1
