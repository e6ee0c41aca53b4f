interface A {
  readonly extends: boolean | undefined;
  get in(): number;
  set with(a: number);
}
class B extends C {
  static of = 1
  static in = 2
  static new(): B { return new B() }
  static readonly typeof: number = 3;
  private readonly extends?: A
  get typeof() { return 1 }
  async const() {}
  public with: A; protected instanceof;
  override new = 4
}
const d = { get new() { return 1 }, async typeof() {}, set const(a) {} }
