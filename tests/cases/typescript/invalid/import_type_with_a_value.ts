type A = import("b", c)
