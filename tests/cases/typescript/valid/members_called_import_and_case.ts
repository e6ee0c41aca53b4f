interface A { import
  b: C; case()
  d: E }
type F = { g: H; import
  i: J; case()
  k: L }
