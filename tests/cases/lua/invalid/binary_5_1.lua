-- versions: 5.1
a = 0b1011
