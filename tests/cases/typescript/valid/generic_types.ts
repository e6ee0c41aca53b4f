type A = [True][Same<<T>() => T, 0, 1>];
type Exact<in out T> = (x: T) => T;
interface B<in out A, out C = A> {}
type E<T> = T extends { F: infer F extends new (...args: any[]) => any } ? F : {};
type G<T> = T extends `${infer A extends | "u" | ""}int${infer B}` ? A : B
type H<T> =
  | (T extends string ? true : never)
  | (T extends number ? true : never) extends infer C
  ? [C] : never
type I = readonly `0x${string}`[];
type J = readonly import("x").K[] | [new: L, ...rest: N[]];
interface O
  extends P<Q>, R<S>
{}
class T<U> extends V<U>
  implements W {
}
