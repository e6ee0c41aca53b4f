if a := b: pass
while a := b: pass
(a := b)
(a := b, c)
[a := b, c]
f(a := b, c)
f(a, b := c, d=e)
[a := b for c in d]
[a for a in b if (c := a)]
x[(a := b)]
lambda: (a := b)
x = (a := b)
f'{(a := b)}'
class C(a := b): pass
