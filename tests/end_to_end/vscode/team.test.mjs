// The key of a team's host: kept as a secret, sent to the host alone, and told in the status where it is wrong.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { freePort, start, until } from "./programs.mjs";
import { serverCommand, Workbench } from "./workbench.mjs";

const KEY = "a-key-that-is-nowhere-else";
const COMMAND = "Dovetail: Set the Key of the Team's Host";
const folder = mkdtempSync(join(tmpdir(), "dovetail-team-"));
const audit = join(folder, "audit.jsonl");
after(() => rmSync(folder, { recursive: true, force: true }));

/** Start a host with one key; return its address. */
async function host() {
  const port = await freePort();
  const digest = createHash("sha256").update(KEY).digest("hex");
  writeFileSync(join(folder, "team.toml"),
    `port = ${port}\naudit = ${JSON.stringify(audit)}\n\n[[keys]]\nname = "alice"\nsha256 = "${digest}"\n`);
  const program = ["-P", "-m", "dovetail", "host", "--team", join(folder, "team.toml")];
  const { child, listening } = start(serverCommand[0], program, process.env);
  listening.catch(() => {});
  after(() => process.kill(-child.pid, "SIGKILL"));
  const address = `http://127.0.0.1:${port}`;
  await until("the host answers", () => fetch(`${address}/health`).then((answer) => answer.ok, () => false));
  return address;
}

/** Return whether the host completed something for the key's holder. */
function completed() {
  const lines = readFileSync(audit, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return lines.some((line) => line.status === 200);
}

/** Give the command a key. */
async function giveKey(code, key) {
  await code.command(COMMAND);
  await code.page.waitForSelector(".quick-input-widget .quick-input-box input[type=password]", { state: "visible" });
  await code.page.keyboard.type(key);
  await code.press("Enter");
}

/** Return the files of VS Code's data and of the workspace that hold a text. */
function holding(code, text) {
  return ["data", "workspace"].flatMap((name) => readdirSync(join(code.run, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text)));
}

test("with a wrong key the status says so and this machine completes; with the right one the host does", async () => {
  const address = await host();
  const code = await Workbench.open(
    { "dovetail.server.command": serverCommand, "dovetail.team.host": address, "dovetail.trigger": "eager" }, {},
    { "area.py": "def area(width, height):\n    return \n\n\nprint(area(2, 3))\n" });
  try {
    await code.openFile("area.py");
    await giveKey(code, "another-key");
    await until("the status tells of the key", async () => {
      const told = await code.page.locator('.statusbar-item[id="dovetail.dovetail.dovetail"]').getAttribute("aria-label");
      return told.includes("did not take the key: run *Dovetail: Set the Key of the Team's Host*");
    });
    await code.goToEndOf(2);
    await code.type("(");
    await code.ghostText();
    assert.ok(!completed());

    await giveKey(code, KEY);
    await until("the status names the host", async () => {
      const told = await code.page.locator('.statusbar-item[id="dovetail.dovetail.dovetail"]').getAttribute("aria-label");
      return told.includes("runs on the team's host");
    });
    await code.press("Backspace");
    await code.type("(");
    await code.ghostText();
    await until("the host has completed", completed);
    assert.deepEqual(holding(code, KEY), []);
  } finally {
    await code.close();
  }
});
