class A {
  delete = () => {}
  default = 1; new = 2
  if= 3
  let = 4
  @b catch = 5
  import = c
}
