x = f'{pass}'
