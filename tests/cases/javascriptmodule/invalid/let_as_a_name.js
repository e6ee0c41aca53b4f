import a from "a";
let = a;
