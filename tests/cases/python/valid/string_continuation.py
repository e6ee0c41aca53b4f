x = 'a\
b'
