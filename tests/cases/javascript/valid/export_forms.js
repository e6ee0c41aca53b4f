const a = 1, b = 2
export * as ns from "y"
export { a as default, b }
export const c = 1
export function d() {}
export { "e f" as g } from "z"
