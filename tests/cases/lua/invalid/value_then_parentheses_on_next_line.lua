-- versions: 5.1-luajit
x = f
(g)()
