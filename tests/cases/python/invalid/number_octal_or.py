x = 0or 1
