interface A {
  delete<T(url: string): T
}
