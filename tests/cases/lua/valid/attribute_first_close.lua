-- versions: 5.5
local <close> a, b <const> = f(), 1
