-- versions: 5.2-
a:b
(x)
