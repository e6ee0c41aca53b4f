interface A {
  const
  /** b
   */
  b(): C
  if
  d(): F
}
class G {
  import
  h(i: J): K
  h() { }
  while?
  l() { }
}
