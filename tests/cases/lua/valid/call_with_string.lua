f'x' "y" [[z]]
