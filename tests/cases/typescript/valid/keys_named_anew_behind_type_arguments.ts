type A<T> = { [K in Exclude<keyof T, "a"> as `get${K}`]: T[K] };
type B<T> = keyof { [K in Keys<T> as Name<K> extends true ? K : never]: never };
type C<T> = { readonly [K in Keys<T>
  as K]?: T[K] };
const a = b<C> as D;
const e = b<C> satisfies D;
