# versions: 3.12-
def f[T](): pass
class A[T, *U, **V]: pass
class B[T: int](C): pass
async def g[T: (a, b),](): pass
type X = int
type X[T] = list[T]
type X[T: lambda: a] = b
