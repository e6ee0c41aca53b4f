lambda a: b: c
