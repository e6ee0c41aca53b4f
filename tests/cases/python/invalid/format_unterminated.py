x = f'a
