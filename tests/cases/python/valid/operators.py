a + b - c * d / e // f % g @ h ** -i
~a & b | c ^ d << e >> f
not a and b or not c
a < b <= c == d != e > f >= g
a in b not in c is d is not e
-a ** -b
not not a
a if b else c if d else e
- + ~a
