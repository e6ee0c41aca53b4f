-- versions: 5.1-5.2
a = b & c | d ~ e << f >> ~g
