x = a
  / b / c
