import a from "a";
a: function b() { }
