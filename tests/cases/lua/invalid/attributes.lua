-- versions: 5.1-5.3
local a <const>, b <close>, c = 1, f()
