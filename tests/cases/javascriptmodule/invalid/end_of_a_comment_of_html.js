import a from "a";
--> b
