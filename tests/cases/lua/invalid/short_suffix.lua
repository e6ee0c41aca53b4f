a = 1L
