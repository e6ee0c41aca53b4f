class A {
  constructor(@b
    c, @d() private readonly e: F, @g
    public h?: I) {}
}
export default abstract class J {}
