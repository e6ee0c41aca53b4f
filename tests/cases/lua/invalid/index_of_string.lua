a = "x".y
