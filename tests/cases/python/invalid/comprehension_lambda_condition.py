# versions: 3.9-
[a for a in b if lambda: c]
