throw
a
