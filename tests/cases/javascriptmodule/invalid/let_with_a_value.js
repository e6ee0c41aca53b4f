export {};
let = 1;
