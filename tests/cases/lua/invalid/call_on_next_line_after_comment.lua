-- versions: 5.1-luajit
f -- c
(x)
