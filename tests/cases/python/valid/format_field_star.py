# versions: 3.8
x = f'{*a}'
