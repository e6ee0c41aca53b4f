a = "x\

y"
