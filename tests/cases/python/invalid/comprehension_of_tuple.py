[a for a in b, c]
