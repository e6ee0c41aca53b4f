const a = <any>{ a: 1 }
const b = <any> { a: 1 }
const c = <A<B<C>>>{ d: <const>['e'] }, f = <A | { b: c }>{}
window.a = (<any>window).a = <B>{ ...(<C>d) }
<any>a.b(<keyof typeof c>d, <() => void>(() => {}), <A extends B ? C : D>e)
