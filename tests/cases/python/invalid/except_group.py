# versions: 3.8-3.10
try: a
except* b: c
except *(d, e) as f: g
else: h
