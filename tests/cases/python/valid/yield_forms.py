yield
yield a
yield a, b
yield *a, b
yield from a
x = yield
(yield)
(yield a, b)
[(yield)]
