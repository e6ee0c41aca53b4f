import a from "a";
try { a() } catch { return }
