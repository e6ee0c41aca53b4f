try: a
except b, c as d: e
