const a = (b: unknown): b is null => b === null;
declare function c(value: unknown): value is void;
declare function d(value: unknown): value is `${number}`
const e = (value: any): value is { x: number; y: number } =>
  typeof value === "object"
function f(this: A): asserts this is B {}
function g(value: unknown): asserts value is null {}
type H = { [K in keyof this]: this[K] }
