-- versions: 5.5
local <const> a, b <close> = 1, f()
