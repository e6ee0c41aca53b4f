class A: pass
class A(): pass
class A(B, *C, metaclass=D, **E): pass
