// The script that is committed is the one that its sources make.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const page = join(root, "server", "dovetail", "play", "page");

test("`make page` would change nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "dovetail-bundle-"));
  try {
    execFileSync(process.execPath, [join(root, "client-play", "scripts", "bundle.mjs"), folder], { stdio: "inherit" });
    for (const file of ["page.js", "NOTICES.txt"]) {
      assert.ok(readFileSync(join(folder, file)).equals(readFileSync(join(page, file))), `${file} is out of date: run \`make page\`.`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
