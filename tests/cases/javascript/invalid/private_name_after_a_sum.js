class A {
  #a
  b(c) {
    return 1 + #a in c
  }
}
