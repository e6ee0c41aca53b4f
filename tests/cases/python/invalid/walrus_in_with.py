with a := b: pass
