[a for f() in b]
