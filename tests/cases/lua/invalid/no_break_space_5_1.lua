-- versions: 5.1
a = 1
