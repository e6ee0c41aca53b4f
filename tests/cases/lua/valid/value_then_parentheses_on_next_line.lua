-- versions: 5.2-
x = f
(g)()
