class A {
  constructor(private
    b) {}
}
