with a,: pass
