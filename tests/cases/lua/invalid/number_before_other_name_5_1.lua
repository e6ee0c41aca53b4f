-- versions: 5.1-luajit
a = 3g = 4
