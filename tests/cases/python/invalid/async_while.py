async while a: pass
