[*a or b]
