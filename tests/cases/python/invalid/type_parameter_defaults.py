# versions: 3.8-3.12
type X[T = int] = T
type X[T: int = bool, *U = *a, **V = [b]] = T
class A[T = int]: pass
def f[*T = a](): pass
