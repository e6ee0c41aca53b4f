const a = <any>{ type: true, [b]: 1, ...c, d() { } };
const e = list.reduce((sum, one) => sum, <Record<string, any>>{});
const f = <T><unknown>g(h), i = <{ [name: string]: number }>{ }
const larger = (a === b) >
  (c === d)
const j = k as constant, l = k as constants<T>
