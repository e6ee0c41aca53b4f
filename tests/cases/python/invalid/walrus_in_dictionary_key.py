{a := b: c}
