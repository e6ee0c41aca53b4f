# versions: 3.9-
with (a as b): pass
with (a as b,): pass
with (a, b as c): pass
with (
    a as b,
    c as d,
): pass
