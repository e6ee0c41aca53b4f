for a in b: c
else: d
for a, b in c: pass
for a, in b: pass
for *a, b in c: pass
for a.b in c: pass
for a[b] in c, d: pass
for [a, b] in c: pass
for (a) in b: pass
for a in b in c: pass
async def f():
    async for a in b: pass
    else: pass
