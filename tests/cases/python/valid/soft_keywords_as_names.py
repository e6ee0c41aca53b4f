match = case = type = _ = 1
match(a)
match[a]
match.a
match * a
match - a
match: int
match, case = a, b
type(a)
type[a]
case(a)
print(match, case, type, _)
match(a).b
match (a), b
match: int = 1
match[a:b]
