-- versions: 5.4-
local a <const>, b <close>, c = 1, f()
