# versions: 3.14-
x = f'{a:
}'
