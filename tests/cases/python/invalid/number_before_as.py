# versions: 3.10-
with 1as x: pass
