match (a, b)
match (a)[b]
match [a]
match {a}
