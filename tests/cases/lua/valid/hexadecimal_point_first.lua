-- versions: luajit-
a = 0x.8
