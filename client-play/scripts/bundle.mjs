// Bundles the page's script into one file, and writes the licences of the packages that it holds beside it.
// The one argument is the folder to write to. The files are committed, so that `dovetail play` needs no npm.
import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const client = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.argv[2];
if (folder === undefined) {
  throw new Error("Name the folder to write to.");
}
const { metafile } = await build({
  absWorkingDir: client,
  entryPoints: ["src/page.ts"],
  outfile: resolve(folder, "page.js"),
  bundle: true,
  charset: "utf8",
  format: "iife",
  legalComments: "none",
  metafile: true,
  minify: true,
  target: ["chrome111", "firefox114", "safari16.4"],
});

const packages = new Set(
  Object.keys(metafile.inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter((found) => found));
const notices = [...packages].map((place) => {
  const { name, version } = JSON.parse(readFileSync(join(client, place, "package.json"), "utf8"));
  const licence = readdirSync(join(client, place)).find((file) => /^licen[cs]e/i.test(file));
  if (licence === undefined) {
    throw new Error(`${name} ${version} has no licence file: it cannot be bundled.`);
  }
  return `${name} ${version}\n\n${readFileSync(join(client, place, licence), "utf8").trim()}\n`;
}).sort();
writeFileSync(
  join(folder, "NOTICES.txt"), `Packages of others that page.js holds, and their licences.\n\n\n${notices.join("\n\n")}`);
