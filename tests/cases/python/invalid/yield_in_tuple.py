(yield, a)
