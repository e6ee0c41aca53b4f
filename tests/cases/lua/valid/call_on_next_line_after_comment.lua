-- versions: 5.2-
f -- c
(x)
