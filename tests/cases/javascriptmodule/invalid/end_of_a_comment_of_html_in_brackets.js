import a from "a";
a(
--> b
);
