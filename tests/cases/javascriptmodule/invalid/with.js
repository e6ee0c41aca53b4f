import a from "a";
with (a) { }
