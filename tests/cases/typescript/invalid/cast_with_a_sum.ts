const a = b as Flag | (c + d)
