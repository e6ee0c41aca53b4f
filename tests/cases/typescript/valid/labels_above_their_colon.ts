a
: b
outer // of two

: for (const row of rows) { continue outer }
result
: { break result }
interface A { value
: b }
class C { size
: number = 1
  text
: string }
const d = c ? a
: b
