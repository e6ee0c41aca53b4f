-- versions: 5.2-
a.goto = { goto = 1 }
a:goto()
