-- versions: 5.1-luajit
a.goto = { goto = 1 }
a:goto()
