x = a := b
