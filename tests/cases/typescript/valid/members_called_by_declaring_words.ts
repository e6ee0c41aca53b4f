interface A { const
  a: b
  let
  c(): d
  var
  readonly e?: f }
class B { const
  a: b
  let
  c
  var
  d() {} }
interface C { var
}
enum D { const
}
enum E { const
, a }
const
  a = 1, b = 2
let
  c: d
var
  e
for (const
  f of g) {}
export const
  h = 1
