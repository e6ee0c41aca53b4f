# versions: 3.9-
(*a) = b
