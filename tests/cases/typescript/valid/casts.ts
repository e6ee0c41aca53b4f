const a = b as Map<string, number>, c = d as unknown as Set<string>[] | undefined
const e = f as number < g, h = i satisfies string << j, k = l as bigint <= m
const n = o as string[] < p, q = r as this < s, t = u as Map<string, number>[] < v
const w = (x as Y
  < z)
const bb = d as number ** e
const cc = f as | 'g' | 'h', dd = i as () => j, ee = k as A extends B ? C : D
const ff = l as constant | null, gg = 'm' as const, hh = n as keyof o, ii = p as typeof q<r>
const jj = s as (t: u) => t is v, kk = w as import('x').y<z>;
(a as any) = b;
(c as D[]).e = f
