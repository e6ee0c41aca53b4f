# versions: 3.8-3.13
try: a
except* b, c: d
