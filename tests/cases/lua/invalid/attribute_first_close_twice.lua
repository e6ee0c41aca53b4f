local <close> a, b = f()
