type X[T = *a] = b
