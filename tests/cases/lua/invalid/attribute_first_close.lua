-- versions: 5.1-5.4
local <close> a, b <const> = f(), 1
