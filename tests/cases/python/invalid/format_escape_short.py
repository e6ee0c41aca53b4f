x = f'\x1{a}'
