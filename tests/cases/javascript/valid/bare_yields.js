function* all() {
  a ? yield : b
  a = b ? yield : yield 1
  const c = yield
  let d = yield, e = [yield, yield]
  f(yield, ...(yield))
  a += yield
  while (yield) yield yield
  return `${yield}`
}
