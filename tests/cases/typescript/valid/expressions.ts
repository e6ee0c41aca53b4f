const a = x!.b as unknown;
const e = [1] as const;
const b = <any>x;
const c = y satisfies { d: string };
f<string>(x); if (a < b && c > d) {}
const m = new Map<string, Array<number>>();
for (const item of list as string[]) {}
let z: number = m.size >> 2
