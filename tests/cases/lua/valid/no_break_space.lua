-- versions: luajit
a = 1
