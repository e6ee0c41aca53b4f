f(*a := b)
