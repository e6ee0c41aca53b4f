x = f'{(lambda x: 1)}{[lambda: 1]}'
