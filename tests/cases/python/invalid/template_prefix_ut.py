x = ut'a'
