# versions: 3.10-
with 1.5as x: pass
