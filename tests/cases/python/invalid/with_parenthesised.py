# versions: 3.8
with (a as b): pass
with (a as b,): pass
with (a, b as c): pass
with (
    a as b,
    c as d,
): pass
