const a = b as () => Length < c
