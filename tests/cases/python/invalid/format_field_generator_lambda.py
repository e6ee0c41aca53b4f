x = f'{a for a in b if lambda: c}'
