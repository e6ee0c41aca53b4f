function f() return f end
