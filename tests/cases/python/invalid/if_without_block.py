if a:
