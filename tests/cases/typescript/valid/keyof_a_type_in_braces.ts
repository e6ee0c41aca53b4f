type A = keyof { a: B }
type C = D | keyof {
  e: F
  [g: string]: H
}
const i = j as keyof { k: L }
var keyof, m = keyof
type N = keyof { [O in P]: Q }[R] extends keyof {} ? S : T
