// Writes the licences of the packages that the bundle holds, as they ask for; dist/bundle.json says which these are.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const client = dirname(dirname(fileURLToPath(import.meta.url)));
const { inputs } = JSON.parse(readFileSync(join(client, "dist", "bundle.json"), "utf8"));
const folders = new Set(
  Object.keys(inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter((folder) => folder));

const notices = [...folders].sort().map((folder) => {
  const place = join(client, folder);
  const { name, version } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  const licence = readdirSync(place).find((file) => /^licen[cs]e/i.test(file));
  if (licence === undefined || !existsSync(join(place, licence))) {
    throw new Error(`${name} ${version} has no licence file: it cannot be packaged.`);
  }
  return `${name} ${version}\n\n${readFileSync(join(place, licence), "utf8").trim()}\n`;
});
writeFileSync(
  join(client, "dist", "NOTICES.txt"),
  `Packages of others that dist/extension.js holds, and their licences.\n\n\n${notices.join("\n\n")}`);
