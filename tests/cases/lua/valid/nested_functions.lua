return function(a) return function(...) return a, ... end end
