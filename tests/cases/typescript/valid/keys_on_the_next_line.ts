interface Steps<T> {
  first: T
  [symbol]?: () => T
  return(value: T): void
}
