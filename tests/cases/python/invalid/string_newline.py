x = 'a
b'
