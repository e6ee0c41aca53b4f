x = f'{a -> b}'
