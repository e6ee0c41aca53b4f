-- versions: 5.5
function f(a, ...rest) return rest, ... end
