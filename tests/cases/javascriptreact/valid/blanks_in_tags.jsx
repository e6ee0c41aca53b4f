const a = < div /* comment */ id = "a" // to the end
/ >;
const b = < a . b > < / a . b >;
