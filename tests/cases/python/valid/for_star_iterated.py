# versions: 3.9-
for a in *b, c: pass
