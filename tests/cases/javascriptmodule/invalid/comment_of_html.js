import a from "a";
a() <!-- it is read
