# versions: 3.9-3.11
x = f'{*a}'
