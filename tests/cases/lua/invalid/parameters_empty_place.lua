function f(a,) end
