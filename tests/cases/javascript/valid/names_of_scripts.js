var static = 1, let = 2;
static = (let) + [let] * static.let;
f(function let() {}, let => ({let, static}));
function static() {}
const {let: a, static: b = let} = static;
static
