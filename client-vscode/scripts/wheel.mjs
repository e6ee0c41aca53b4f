// Makes the wheel of the server that goes into the package: the extension installs the server that it belongs to,
// and nothing of that name from an index.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const client = dirname(dirname(fileURLToPath(import.meta.url)));
const checkout = dirname(client);
const wheels = join(client, "server");
const prepared = join(checkout, ".venv", "bin", "python");
const python = process.env.PYTHON ?? (existsSync(prepared) ? prepared : "python3");

// Where what builds it is installed already, no network is needed.
const isolated = spawnSync(python, ["-c", "import hatchling"], { stdio: "ignore" }).status !== 0;

rmSync(wheels, { recursive: true, force: true });
const made = spawnSync(
  python,
  ["-m", "pip", "wheel", "--quiet", "--no-deps", ...(isolated ? [] : ["--no-build-isolation"]), "--wheel-dir", wheels, checkout],
  { stdio: "inherit" });
if (made.status !== 0) {
  console.error(`The server's wheel could not be made with ${python}: name a Python 3.11 or later that has pip in PYTHON.`);
  process.exit(1);
}
// The versions that were tested, which the installation takes.
copyFileSync(join(checkout, "server", "constraints.txt"), join(wheels, "constraints.txt"));
console.log(`server/${readdirSync(wheels).join(", server/")}`);
