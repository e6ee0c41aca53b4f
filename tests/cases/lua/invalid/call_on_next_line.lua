-- versions: 5.1-luajit
f
(x)
