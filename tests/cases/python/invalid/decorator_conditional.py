# versions: 3.8
@a if b else c
class A: pass
