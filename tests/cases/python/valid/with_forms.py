with a: pass
with a as b: pass
with a, b as c: pass
with (a): pass
with (a), (b): pass
with (a, b): pass
with (a, b) as c: pass
with (a) as (b): pass
with (a).b as c.d, e as f[g]: pass
with (yield): pass
with (a := b): pass
with (a for a in b): pass
with () as a: pass
with lambda: a: pass
with a as (b, *c): pass
