-- versions: 5.1-luajit
a:b
(x)
