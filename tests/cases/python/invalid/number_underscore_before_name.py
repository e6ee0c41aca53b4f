x = 1_a
