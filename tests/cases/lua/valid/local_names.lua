local a, b, c
local d, e = 1
