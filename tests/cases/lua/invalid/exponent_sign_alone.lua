a = 3e+
