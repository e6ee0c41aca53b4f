-- versions: 5.1-5.4
local <const> a, b <close> = 1, f()
