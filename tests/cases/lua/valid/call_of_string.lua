("x"):rep(3)
