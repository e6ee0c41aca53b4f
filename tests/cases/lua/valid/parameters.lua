function f(a, b, ...) return ... end
