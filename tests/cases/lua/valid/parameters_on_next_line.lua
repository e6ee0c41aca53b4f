function f
(a)
end
local g = function
() end
