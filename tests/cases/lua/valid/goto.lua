-- versions: luajit-
::top:: goto top
