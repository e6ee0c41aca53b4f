f(a.b=c)
