-- versions: luajit-
a = "\q"
