class A { get: b; set = c; declare get?: d; static readonly set: e
  get
}
class B { get
  a() { } set
  b(c) { } get
  (d) { } set; e = f; static set
}
interface C { get: D, set?: E; get?, set
}
interface F { get
  (a: G): H }
interface I { readonly get; get
  j(): K; get(): L; set
  m(n); typeof
  readonly o: P
  else
  q?: R
  var
  /** s
   */
  t?: U }
type V = { get; set
}
const w = { get, set: y, get z() { return 1 } }
