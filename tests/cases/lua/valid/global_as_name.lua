global = 1
global()
local a = global
