import package from "a";
