x = f'{a # why}'
