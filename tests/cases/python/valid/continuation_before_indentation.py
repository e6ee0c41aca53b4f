# versions: 3.10-
if a:
\
    b
