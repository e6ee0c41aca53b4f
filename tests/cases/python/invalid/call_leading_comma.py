f(, a)
