for a in yield: pass
