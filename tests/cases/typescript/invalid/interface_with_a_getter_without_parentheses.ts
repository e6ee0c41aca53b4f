interface A { get
  b: c }