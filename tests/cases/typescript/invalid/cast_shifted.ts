const a = b as Bits << c
