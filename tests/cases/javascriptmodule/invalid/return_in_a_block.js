import a from "a";
if (a) { return }
