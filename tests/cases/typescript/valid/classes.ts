abstract class Account<T> extends Base<T> implements Stored, Named {
  private name: string = "x"; size?: { width: number }; readonly limit = 5
  static count: number
  constructor(private readonly store: Store, public owner?: string) { super() }
  static async find<T>(key: string): Promise<T> { return await load<T>(key) }
  protected abstract close(): void;
  get value(): number { return this.size!.width }
  [key: string]: any
}
