# versions: 3.12-
type type = type
type match = 1
type _ = 1
