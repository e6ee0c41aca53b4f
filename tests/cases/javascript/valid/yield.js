function* f() {
  const b = yield
  yield* a;
  (yield)
}
