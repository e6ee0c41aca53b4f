import a from "a";
return a;
