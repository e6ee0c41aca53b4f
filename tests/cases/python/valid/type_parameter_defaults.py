# versions: 3.13-
type X[T = int] = T
type X[T: int = bool, *U = *a, **V = [b]] = T
class A[T = int]: pass
def f[*T = a](): pass
