a := b
