x = f'{a if b else lambda: 1}'
