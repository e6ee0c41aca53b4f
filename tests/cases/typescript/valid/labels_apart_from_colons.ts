// Blanks and comments before the colon of a label, and of a field in braces that could be a block's.
outer : for (;;) { continue outer }
other/* a loop */: while (true) break other
class A {
  name : string = "a"
  get /* a field */ : number
  if
  both: string
  while // a field too
  optional?: boolean
  delete/* one that ends
  behind a comment */ certain!: number
}
interface B {
  name : string
  function
  /** The next one. */
  after: number;
  try /** Directly behind it,
  and on the next line. */ last?: string
}
interface C { [a in b]?: string }
interface D { readonly [a in b] }
interface E {
  name
  ?: string
}
type F = { -readonly [a in b]-?: c }
