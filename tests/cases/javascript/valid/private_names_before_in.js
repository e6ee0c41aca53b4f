class A {
  #a
  b(c, d) {
    if (#a in c && !(#a in d) || c == #a in d) return #a in c ? #a in d : c | #a in d
    return #a in -c + 1 < d
  }
}
