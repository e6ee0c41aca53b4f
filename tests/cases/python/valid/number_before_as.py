# versions: 3.8-3.9
with 1as x: pass
