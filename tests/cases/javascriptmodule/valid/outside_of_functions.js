import { read } from "./read.js";
label: for (const name of await read()) {
  if (name) continue label;
  else if (!name) break;
  do debugger; while (name)
  switch (name) { case 1: break; default: read(name); case 2: { } }
  try { read() } catch { throw name } finally { var found = () => { return name } }
}
while (read()) if (found) { } else read()
export function last(names) { if (names) return names; return }
