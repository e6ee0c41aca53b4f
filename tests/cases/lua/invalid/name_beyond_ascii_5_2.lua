-- versions: 5.2-
größe = 1
變數 = größe
