function f() {
  return
  x
}
