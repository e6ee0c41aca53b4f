a: *b
