type as = string; type satisfies<T> = T[]
type assert = as
type /* a */ as2 = as | satisfies<as>
namespace N { type as = number; export type assertion = as }
let type = 1
(type as number)
type.toString
const b = type as as
declare type asserted = as
