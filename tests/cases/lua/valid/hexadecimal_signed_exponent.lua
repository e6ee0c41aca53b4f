-- versions: luajit-
a = 0xA.8p-1
