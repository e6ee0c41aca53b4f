# versions: 3.9-
with a as *b: pass
