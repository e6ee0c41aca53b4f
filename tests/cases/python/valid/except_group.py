# versions: 3.11-
try: a
except* b: c
except *(d, e) as f: g
else: h
