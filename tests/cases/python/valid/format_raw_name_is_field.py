x = rf'\N{a}\x1\''
