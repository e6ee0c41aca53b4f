x = 1if 2else 3or 4
y = 1in z, 1is z, 1and z
z = [0x1for x in (1,)]
