x = f'{a=b}'
