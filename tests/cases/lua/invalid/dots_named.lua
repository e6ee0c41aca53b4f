-- versions: 5.1-5.4
function f(a, ...rest) return rest, ... end
