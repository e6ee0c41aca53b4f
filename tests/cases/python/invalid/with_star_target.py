# versions: 3.8
with a as *b: pass
