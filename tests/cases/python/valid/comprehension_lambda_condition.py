# versions: 3.8
[a for a in b if lambda: c]
