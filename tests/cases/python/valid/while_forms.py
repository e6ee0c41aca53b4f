while a: b
else: c
