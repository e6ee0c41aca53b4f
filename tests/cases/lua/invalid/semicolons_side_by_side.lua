-- versions: 5.1-luajit
a = 1;; b = 2
