local <const> <close> a = f()
