x = ft'a'
