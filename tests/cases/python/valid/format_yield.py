x = f'{yield}{yield x}{yield from x}{await x}'
