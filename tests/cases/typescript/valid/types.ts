type Union = | "a" | 1 & null
type Mapper = (value: number, name?: string) => void;
type Element<T> = T extends (infer U)[] ? U : never
type Tuple = [first: string, second?: number, ...rest: Array<Map<string, number[]>>];
type Queries = typeof a.b | keyof typeof c | import("d").E<string>;
type Partial<T> = { readonly [K in keyof T]?: T[K] };
type Required<T> = { -readonly [K in keyof T as `get${K}`]-?: T[K]; };
type Maker = (new (...args: any[]) => object) | null;
type Abstract = abstract new () => void
