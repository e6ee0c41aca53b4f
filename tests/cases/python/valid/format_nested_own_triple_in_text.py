# versions: 3.12-
x = f'''{"'''"}'''
