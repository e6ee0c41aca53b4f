x = f'{a !r}'
