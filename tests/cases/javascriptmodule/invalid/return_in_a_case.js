import a from "a";
switch (a) { case 1: return a }
