@a
@b.c
@d.e(f, g=h)
def f(): pass
@a

# between
class A: pass
@a
async def f(): pass
