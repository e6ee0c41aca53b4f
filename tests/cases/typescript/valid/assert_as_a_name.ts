assert(a)
function assert(a): asserts a {}
declare namespace assert { const a: b }
