interface A {
  before
  continue/* a comment */,
  for, extends
  /** The next one. */
  after?: string
}
