class A {
  static of = (...parts) => new A(parts)
  static in = 1; static instanceof;
  static with = 2
  static of() {}
  static in;
}
