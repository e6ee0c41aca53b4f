while a do local function f() for i = 1, 2 do break end end end
