class A { get
  b: c }