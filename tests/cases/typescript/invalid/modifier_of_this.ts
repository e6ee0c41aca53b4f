function f(readonly this) {}
