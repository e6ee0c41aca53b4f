try: a
except* b: c
except d: e
