for (let i = 0, n: number = a.length; i < n; i++) { b(a[i] as C) }
for (var key in d) delete d[key]
for (const [e, f] of Object.entries<G>(h)) e(f)
async function i() { for await (const j of k()) {} }
for (let l of m!) n(l)
for (;;) break
