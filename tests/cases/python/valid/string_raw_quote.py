x = r'a\'b'
