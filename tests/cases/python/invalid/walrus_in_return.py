return a := b
