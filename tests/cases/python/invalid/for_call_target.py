for f() in a: pass
