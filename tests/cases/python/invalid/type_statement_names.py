# versions: 3.8-3.11
type type = type
type match = 1
type _ = 1
