x = f'\N{EN DASH}{a}'
