local function f() return f end
