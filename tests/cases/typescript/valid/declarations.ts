declare module "x" { export const a: number; export default a; function f(): void; }
declare global { interface Window { app: any } }
declare const version: string
declare function load(path: string): void
enum Color { Red = 1, Green, "blue" }
const enum Flag { On }
namespace A.B { export type C = string }
try { f() } catch (error: unknown) {}
