for 1 in a: pass
