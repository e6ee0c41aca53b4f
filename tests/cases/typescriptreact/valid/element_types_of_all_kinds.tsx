x = <B<C>>d</B>
x = <B<C, D[]> e="f"/>
x = <B<C | { d: e }>/>
x = <B<() => void>>c</B>
x = <B<C extends D ? E : F>>c</B>
x = <B<{ a: b; c(): d }>/>
const a1 = <T,>(x: T) => x
const a2 = <T, U>(x: T) => x
const a3 = <T extends B<C>, U = D>(x: T): x is U => x
const a4 = <T extends B = C,>(x: T) => x
const a5 = <T = B>(x: T) => x
const a6 = async <T,>(x: T) => x
const a7 = async <T extends B>(x: T) => x
