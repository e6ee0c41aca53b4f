x = f'{a; b}'
