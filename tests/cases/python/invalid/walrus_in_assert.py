assert a := b
