type A = <T, U>(x: T) => U;
type B = { <T extends object>(x: T): T; <T = {}>(x?: T): void; method<T>(x: T): T };
interface C {
  <T extends A>(props: T): null;
  <const T, U,>(props: T): U
  property: <T,>(x: T) => T
}
const f = (memo(g)) as <T extends C = C>(props: T) => JSX.Element;
let h: Array<<T,>(x: T) => T> = []
