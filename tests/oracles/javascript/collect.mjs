// node collect.mjs PACKAGES FILES: copies the sources below PACKAGES, a folder for each package, to FILES/KIND/PACKAGE,
// where KIND is js, mjs, jsx, ts, tsx, d.ts or jsonc. A .js file with JSX in it is counted as jsx. Files that are Flow's,
// minified or very large are left out, and so is what another file repeats; of one package at most 250 files of a kind
// are taken, spread evenly.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { oxc } from "./parsers.mjs";

const MOST = 250;
const LARGEST = 300_000;    // bytes of a file
const WIDEST = 400;    // characters of an average line, beyond which a file is minified
const COMMENTED = /^(tsconfig.*|jsconfig.*|settings|launch|tasks|extensions|\.eslintrc|\.babelrc|\.swcrc|.*\.code-workspace)\.json$|\.jsonc$|^\.(eslintrc|babelrc|swcrc)$/;

const goals = ["module", "script"];
const plain = goals.map((goal) => oxc("js", goal));
const marked = goals.map((goal) => oxc("jsx", goal));
const accepts = (readers, text) => readers.some((read) => read(text).accepts);

function kindOf(path, text) {
  const name = basename(path);
  if (COMMENTED.test(name)) return "jsonc";
  const ending = name.match(/\.(d\.[cm]?ts|[cm]?ts|tsx|jsx|[cm]?js)$/)?.[1];
  if (ending === undefined || /@flow\b/.test(text.slice(0, 1000))) return null;
  if (text.length > LARGEST || text.length > WIDEST * text.split("\n").length) return null;
  if (ending.startsWith("d.")) return "d.ts";
  if (ending.endsWith("js") && ending !== "mjs") return !accepts(plain, text) && accepts(marked, text) ? "jsx" : "js";
  return ending === "cts" || ending === "mts" ? "ts" : ending;
}

const [packages, files] = process.argv.slice(2);
const seen = new Set();
const counts = {};
for (const name of readdirSync(packages).sort()) {
  const found = {};
  const paths = readdirSync(join(packages, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
  for (const path of paths) {
    if (!/\.([cm]?[jt]s|[jt]sx|jsonc?)$|rc$/.test(path)) continue;
    const text = readFileSync(path, "utf8");
    const digest = createHash("sha256").update(text).digest("hex");
    const kind = seen.has(digest) ? null : kindOf(path, text);
    seen.add(digest);
    if (kind !== null) (found[kind] ??= []).push(path);
  }
  for (const [kind, all] of Object.entries(found)) {
    const step = Math.max(1, all.length / MOST);
    for (let at = 0; Math.floor(at) < all.length; at += step) {
      const path = all[Math.floor(at)];
      const target = join(files, kind, name, relative(join(packages, name), path));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, readFileSync(path));
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
}
console.log(Object.entries(counts).map(([kind, count]) => `${kind} ${count}`).join(", "));
