import a from "a";
for (;;) return
