const a = b >> c, d = b >>> c, e = b > c;
let f: A<B<C> >, g: A<B<C> /* */ > = h, i: A<B<C> >= j, k: A<B<C>>= l, m: A<void >;
type D<E extends F<G> > = H<I<J<K> > >;
f<A<B> >(c), new A<B<C> >(), (n: A<B<C> >): A<B<C> > => o;
b >>= c, b >>>= d, b >= c;
switch (a) { case b >> c: case b >>> c: }
