[a for a in b if c := a]
