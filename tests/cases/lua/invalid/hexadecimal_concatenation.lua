-- versions: luajit-
a = 0x1..b
