var keyof = 1, readonly, unique, infer
function is(is: any): is is A {}
function f(keyof: any): asserts keyof is A {}
let a: is, b: asserts.is, c: typeof keyof, d: A.keyof
import e = keyof.g
