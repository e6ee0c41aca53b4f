const a = void
  b
function c(): void
d
