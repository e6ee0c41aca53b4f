if x:
    y = 'a\
b'
