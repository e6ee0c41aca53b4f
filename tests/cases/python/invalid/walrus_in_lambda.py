lambda: a := b
