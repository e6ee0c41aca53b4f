import a from "a";
a(017);
