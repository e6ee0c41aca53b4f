-- versions: 5.2-5.3
a = 3or b
