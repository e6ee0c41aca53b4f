-- versions: 5.1-luajit
a = 3or b
