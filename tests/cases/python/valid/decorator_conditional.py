# versions: 3.9-
@a if b else c
class A: pass
