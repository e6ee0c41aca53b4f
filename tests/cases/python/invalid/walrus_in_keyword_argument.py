f(a=b := c)
