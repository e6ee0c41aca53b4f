(a, b) := c
