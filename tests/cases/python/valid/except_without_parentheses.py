# versions: 3.14-
try: a
except b, c: d
except e, f, g,: h
except i,: j
