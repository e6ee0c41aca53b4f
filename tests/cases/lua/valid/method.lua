a.b:c(1):d"x"
