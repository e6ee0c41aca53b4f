interface A { a?
  b
  c? // none
  d: E
  f?
  [g: string]: h
  i?
  readonly j?: k
  l?
}
class B { a?
  b() {}
  c? /*
*/ static d = 1
  e?
}
type C = { a?
b }
type D = [a?
, b?
: c]
const e = f ?
  g : h
type I = J extends K ?
  L : M
function n(o?
: p) {}
