class A<T> extends B<T> implements C<T> { d<U>(e: U): T { return this.f<U>(e) } }
const g = { h<T>(x: T) { return x }, async i<T>() {} };
function* j<T>(): Iterable<T> { yield k<T>() }
enum L { M = 1 << 2 }
abstract class N { protected abstract o(): void }
