for (let i = 0, n = a.length; i < n; i++) {}
for (const { b } of c) d
for (e.f in g);
for await (const h of i) {}
for (;;) break
