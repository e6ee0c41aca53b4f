-- versions: 5.2-
a = 0b1011
