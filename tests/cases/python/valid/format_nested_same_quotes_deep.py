# versions: 3.12-
x = f'{f'{f'{1}'}'}'
