class A {
  a
  [b]
  [c]() {}
  static d
  [e] = 1
  static
  [f]() {}
}
