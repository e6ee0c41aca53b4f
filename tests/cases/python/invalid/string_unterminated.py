x = 'a
