if yield: pass
