-- versions: luajit-
a = "\x4"
