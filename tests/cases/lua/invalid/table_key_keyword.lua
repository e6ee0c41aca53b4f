a = { end = 1 }
