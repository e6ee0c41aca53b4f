-- versions: 5.1
größe = 1
變數 = größe
