f(yield)
