try: a
except b as c.d: e
