-- versions: luajit
größe = 1
變數 = größe
