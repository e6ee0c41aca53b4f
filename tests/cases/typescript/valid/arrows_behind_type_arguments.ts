const a = (): Promise<void>=>{}
const b = async (c: D): Promise<E<F>>=>{ await c }
const g = (h: unknown): h is I<J>=>h as any
const k = (): keyof L | M.N<O>=>({}), p = (): Q<R
>=>1
class S { t = (): U<V>=>{} }
f((): W<X>=>1, y ? (z): A<B>=>c : d)
