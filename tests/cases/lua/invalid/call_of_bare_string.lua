"x":rep(3)
