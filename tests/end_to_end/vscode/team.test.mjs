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
/** Milliseconds after which a key is typed again: a model may still be loading, and nothing is offered then. */
const PAUSE = 15_000;
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
  // `fill` waits until the input can be written in: on a busy machine typed keys would come before it has the focus.
  const input = code.page.locator(".quick-input-widget .quick-input-box input[type=password]");
  await input.fill(key);
  await input.press("Enter");
}

/** Return the files of VS Code's data and of the workspace that hold a text. */
function holding(code, text) {
  return ["data", "workspace"].flatMap((name) => readdirSync(join(code.run, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      try {
        return readFileSync(path).includes(text);
      } catch (error) {
        if (error.code !== "ENOENT") {
          throw error;
        }
        return false;   // VS Code has removed it in the meantime
      }
    }));
}

/** A text whose next word is in no doubt after its first letter, whichever model is asked. */
const BOX = "class Box:\n    def __init__(self, width, height):\n        self.width = width\n        self.height = \n";

/** Type that letter, and again where nothing comes of it, until a text is shown and `holds` returns true. */
async function offered(code, holds) {
  await code.type("h");
  let again = Date.now() + PAUSE;
  await until("a text is shown", async () => {
    if (Date.now() > again) {
      await code.press("Backspace");
      await code.type("h");
      again = Date.now() + PAUSE;
    }
    return holds() && code.hasGhostText();
  });
}

test("with a wrong key the status says so and this machine completes; with the right one the host does", async () => {
  const address = await host();
  const code = await Workbench.open(
    { "dovetail.server.command": serverCommand, "dovetail.team.host": address, "dovetail.trigger": "eager" }, {},
    { "box.py": BOX });
  try {
    await code.openFile("box.py");
    await giveKey(code, "another-key");
    await until("the status tells of the key", async () => {
      const told = await code.page.locator('.statusbar-item[id="dovetail.dovetail.dovetail"]').getAttribute("aria-label");
      return told.includes("did not take the key: run *Dovetail: Set the Key of the Team's Host*");
    });
    await code.goToEndOf(4);
    await offered(code, () => true);
    assert.ok(!completed());

    await giveKey(code, KEY);
    await until("the status names the host", async () => {
      const told = await code.page.locator('.statusbar-item[id="dovetail.dovetail.dovetail"]').getAttribute("aria-label");
      return told.includes("runs on the team's host");
    });
    await code.press("Backspace");
    await offered(code, completed);
    assert.deepEqual(holding(code, KEY), []);
  } finally {
    await code.close();
  }
});
