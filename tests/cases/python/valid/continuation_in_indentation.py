# versions: 3.8
if a:
    \
b
    c
