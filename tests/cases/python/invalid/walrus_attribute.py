(a.b := c)
