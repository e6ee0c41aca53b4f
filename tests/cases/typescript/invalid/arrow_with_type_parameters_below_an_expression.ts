f()
<T extends A>(b) => c