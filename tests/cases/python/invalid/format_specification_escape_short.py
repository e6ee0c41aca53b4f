x = f'{a:\x1}'
