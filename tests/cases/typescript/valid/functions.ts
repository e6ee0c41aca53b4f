function pick<T extends object = {}>(from: T, key?: keyof T, ...more: string[]): Promise<void> { return from as any }
export function parse(text: string): number;
export function parse(text: string): number { return +text }
const trim = (text: string): string => text.trim();
const load = async <T,>(path: string): Promise<T> => read(path);
function isText(this: Window, value: unknown): value is string { return true }
function assertText(value: unknown): asserts value is string {}
const size = (box: { width: number; height: string }) => box.width
function apply(this, a) {}
class Bound { m(this, b: number) {} }
type Bind = (this, a: number) => void
const bound = function (this) {}
