x = f'{a:\n\x41\N{EN DASH}}'
