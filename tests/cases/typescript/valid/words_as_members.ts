interface A {
  default?: number
  with?: string
  with(...parts: string[]): this
  with<P extends object>(part: P): A & P
  delete<T>(url: string): Promise<T>;
  catch(error: unknown): void;
  do(next: () => void): void
  case(): string;
  case<C>(value: C): C
  export(): Uint8Array;
  enum<U extends string>(...values: U[]): U
  readonly const: string;
  readonly new: string
  yield: number;
}
declare abstract class B {
  catch(error: Error): B;
  delete(id: string, all?: boolean): boolean;
  with(a: number): B;
  abstract className: string;
  abstract classToTable(name: string): string;
}
enum C { default = 0, delete, if = 2 }
type D = X extends Y<infer Z> ? { yield: Z; return: Z } : never
class E {
  constructor(@inject(A) private a: A, @inject(B)
    b: B = {},
    @log()
    readonly c?: string) {}
  import = 1;
  await = callback<void>((resume) => {})
  yield = 2
}

interface Statements {
  if
}
interface Loops { while }
interface Ends { break /* a */ }
interface Words { case }
interface More { function }
