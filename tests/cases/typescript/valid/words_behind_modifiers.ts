interface A {
  readonly extends: boolean | undefined;
  get in(): number;
  set with(a: number);
}
class B {
  static of = 1
  static in = 2
  static new(): B { return new B() }
  static readonly const: number = 3;
  private readonly extends?: A
  get typeof() { return 1 }
  async extends() {}
  public with!: A; protected instanceof;
  override new = 4
}
const c = { get new() { return 1 }, async typeof() {}, set const(a) {} }
