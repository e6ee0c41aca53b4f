let a = b as c | string < d, e = f as g | number < i;
let j = k as string
  < l, m = n satisfies unknown << o;
let p: string.q<r>, s = t as object.u<v>, w = string<any>(x);
function string(any: any, number?: string): any is string { return any.string }
