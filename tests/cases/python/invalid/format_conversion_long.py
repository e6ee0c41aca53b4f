x = f'{a!rr}'
