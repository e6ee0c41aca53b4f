else: a
