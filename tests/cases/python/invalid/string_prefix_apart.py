x = r 'a'
