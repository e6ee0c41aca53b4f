x = r'a\'
