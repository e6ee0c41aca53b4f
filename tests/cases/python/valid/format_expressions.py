x = f'{a + b}{a[b]}{a(b, c=d)}{a if b else c}{not a}{a.b}{a, b}{*a, b}{ {1: 2} }{[x for x in y]}{(x for x in y)}{a < b}{a != b}{a == b}'
