{a: b := c}
