with (a for a in b) as c: pass
