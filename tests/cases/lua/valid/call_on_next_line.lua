-- versions: 5.2-
f
(x)
