class A(a for a in b): pass
