lambda a=1, b: c
