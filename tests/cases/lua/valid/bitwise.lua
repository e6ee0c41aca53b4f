-- versions: 5.3-
a = b & c | d ~ e << f >> ~g
