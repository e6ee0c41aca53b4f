interface Shape<T>
  extends Base, Other<T> {
  name: string; size?: number, move(by: number): void
  map<U>(item: T): item is U
  readonly [key: string]: any; new (x: T): Shape<T>; (y: T): void; get area(): number
  nested: { inner: string }
  default: string
}
