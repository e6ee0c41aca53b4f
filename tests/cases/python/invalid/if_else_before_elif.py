if a: b
else: c
elif d: e
