()
(a,)
(a, b)
(a, b,)
a,
a, b
*a, b
(*a, b)
(*a,)
