x = f'\N{a'
