assert a
assert a, b
assert (a, b)
