function a(): Promise<T>{}
class A<T>{
  a(): Promise<T>{ return b }
  c(): D<E<F>>{}
}
class B extends C<D>{}
interface E<T>{ a: T }
