x = uf'a'
