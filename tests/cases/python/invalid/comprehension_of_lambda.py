[a for a in lambda: b]
