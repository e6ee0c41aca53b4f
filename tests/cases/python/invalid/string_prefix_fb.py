x = fb'a'
