x = f'a
b'
