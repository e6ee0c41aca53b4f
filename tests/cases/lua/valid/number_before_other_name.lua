-- versions: 5.2-5.3
a = 3g = 4
