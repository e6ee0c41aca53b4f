local <close> a, b <close> = f()
