function f(null, a) {}
