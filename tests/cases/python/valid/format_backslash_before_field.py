x = f'\{a}' rf'\{a}'
