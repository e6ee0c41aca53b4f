-- versions: luajit-
a = 0xA.8
