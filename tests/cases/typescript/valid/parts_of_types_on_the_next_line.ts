let a: B
  .C<D>, e: typeof f
  .g
type H = import("i")
  .J
interface K extends L
  .M { import
  n: O; case()
  p: Q }
