a:b.c()
