import a from "a";
if (a) function b() { }
