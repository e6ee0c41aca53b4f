class A extends B {
  static #x = 1
  static { this.x }
  get a() { return this.#x }
  set b(c) {}
  async *[d]() {}
  delete(x) {}
  if(y) {}
  "q"() {}
  12() {}
  e
  f = 1
  ;g
}
