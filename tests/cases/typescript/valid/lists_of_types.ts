export { default as constructor, a as const, b as function, type c as enum } from "d";
import type { default as e, f } from "g"
import { type A, default as h, i as constants } from "j";
export type { default as k } from "d"
interface l {}
export type { l }

export type m = n
@injectable({ scope: o })
export class p<q> extends r<q> implements s<q> {}
@t export default class implements u {}
