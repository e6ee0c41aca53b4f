# versions: 3.14-
try: a
except* b, c: d
