-- versions: luajit
a = 0b1011
