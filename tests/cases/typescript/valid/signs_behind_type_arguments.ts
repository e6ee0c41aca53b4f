// `>` that closes type arguments, or type parameters, with `=` directly behind it.
type Alias<T>=T
type Bounded<T extends Box<T>>=T
let list: Array<string>=[]
const nested: Map<string, Array<number>>=new Map()
function call(first: Set<number>=new Set(), second: A | B<C>=d) {}
class Fields {
  private readonly items: Array<string>=[];
  other?: Set<A>=b
}
const arrow = (first: Array<string>=[]) => first;
for (let each: Set<A>=b; each;);
const made: (first: A) => Promise<B>=async () => c;
