class A { set = c; static readonly set: d
  get
}
class B { get
  a() { } set
  b(c) { } get
  (d) { }; e = f; static set
}
interface C { get: D, set?: E
}
interface F { get
  (a: G): H }
interface I { readonly get; get
  j(): K; set
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
