# versions: 3.8
for a in *b, c: pass
