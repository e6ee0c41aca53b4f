const a = function(): A { return b }.bind(c)
const d = [function <T>(x: T): x is A {}, function(): { a: b } {}, function(): () => { a: b } {}]
const e = class<T> extends B<T> implements C<T>, D<E<T>> { f }
const g = class extends mixin<A>(B)<C> {}.name
h(function(x): asserts x is A | B[] {}, class A<T> extends B.C {}, async function*(): keyof typeof x {})
const i = { function(): A {}, class: 1 }
type J = { function(): A; function?: B }
