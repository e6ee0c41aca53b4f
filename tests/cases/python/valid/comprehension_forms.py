[a for a in b]
{a for a in b}
{a: b for a, b in c}
(a for a in b)
[a for a in b if c if d]
[a for a in b for c in d if e for f in g]
[a async for a in b]
[a for a, in b]
[a for *a, b in c]
[a for a.b in c]
[a for a[b] in c]
[(a, b) for a in b]
[lambda: a for a in b]
[a if b else c for d in e if (f if g else h)]
