class A extends B {
  c() {
    new super.c()
    return new super[d]
  }
}
