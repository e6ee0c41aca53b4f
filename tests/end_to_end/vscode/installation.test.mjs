// The extension before its server is installed, the installation, and the download of a model, with a Python that only
// plays `venv`, `pip` and the download.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serverCommand, until, Workbench } from "./workbench.mjs";

const folder = mkdtempSync(join(tmpdir(), "dovetail-python-"));
const python = join(folder, "python");
const log = join(folder, "log");

/** An environment is a copy of this program; what it "installs" is the checkout's server. */
const PROGRAM = `#!/bin/sh
echo "$*" >> '${log}'
case "$*" in
  *"import ensurepip"*) echo "3 11" ;;
  *"-m venv "*) for last; do :; done; mkdir -p "$last/bin"; cp "$0" "$last/bin/python" ;;
  *"-m dovetail models get"*) echo '{"received": 100, "size": 200}'; echo '{"path": "/model.gguf"}' ;;
  *"-m dovetail"*) exec '${serverCommand[0]}' "$@" ;;
esac
`;

const MISSING = "Dovetail's server is not installed.";

/** Return a new workbench without a server. */
async function open() {
  return Workbench.open(
    { "dovetail.server.python": python }, { "security.workspace.trust.enabled": false },
    { "shop.py": "prices = [1.5, 2.5]\n" });
}

let code;
before(async () => {
  writeFileSync(python, PROGRAM);
  chmodSync(python, 0o755);
  code = await open();
});
after(async () => {
  await code?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Return the question that is open. */
async function question(text) {
  const dialog = code.page.locator(".monaco-dialog-box", { hasText: text });
  await dialog.waitFor();
  return dialog;
}

/** Return the words of the calls of pip. */
function pips() {
  return readFileSync(log, "utf8").split("\n").filter((line) => line.includes("-m pip install"));
}

test("without a server, the status bar offers the installation and is not red", async () => {
  await code.openFile("shop.py");

  assert.equal(await code.status("cloud-download"), "Dovetail: The server is not installed.");
  assert.match(await code.page.locator("#dovetail\\.dovetail\\.dovetail").innerText(), /Dovetail: not installed/);
  assert.equal(await code.severity(), "plain");
});

test("the offer can be found again after its message has gone, and says what it takes", async () => {
  await code.page.locator(".notification-toast", { hasText: MISSING }).waitFor();
  await code.command("Notifications: Clear All Notifications");

  await code.clickStatus();
  await code.choose("Install the server");
  const dialog = await question("Install Dovetail's server?");
  assert.match(await dialog.innerText(), /About 65 MB are downloaded; it takes 310 MB of disk space\./);
  await code.press("Escape");
  await dialog.waitFor({ state: "detached" });

  assert.equal(await code.status("cloud-download"), "Dovetail: The server is not installed.");
});

test("the server is installed without PyTorch, in the versions that were tested, and then runs", async () => {
  await code.clickStatus();
  await code.choose("Install the server");
  const dialog = await question("Install Dovetail's server?");
  await dialog.getByText("Install", { exact: true }).click();

  await code.status("check");
  const hasKeyboard = () => document.activeElement?.closest(".editor-instance") !== null;
  assert.ok(await code.page.evaluate(hasKeyboard), "the keyboard is in the editor, where Tab takes a suggestion");
  const [installation, ...others] = pips();
  assert.deepEqual(others, []);
  assert.match(installation, /--constraint \S+\/server\/constraints\.txt \S+\/server\/dovetail-\S+\.whl$/);
  const [, constraints] = /--constraint (\S+)/.exec(installation);
  assert.match(readFileSync(constraints, "utf8"), /^numpy==/m);
});

test("PyTorch is added after a question of its own, which names the sizes", async () => {
  await code.command("Dovetail: Install PyTorch for More Models");
  const dialog = await question("Install PyTorch for Dovetail?");
  const text = await dialog.innerText();
  assert.match(text, /For the processor: It takes about 1\.2 GB of disk space/);
  assert.match(text, /For a graphics card: It takes about 5\.6 GB of disk space/);
  await dialog.getByText("Install for the Processor", { exact: true }).click();

  await until("PyTorch and the server are installed", () => pips().length === 3);
  const [, torch, server] = pips();
  assert.match(torch, /download\.pytorch\.org.* torch$/);
  assert.match(server, /\.whl\[torch\]$/);
  await code.status("check");
});

test("a model of the list is downloaded after a question, and then chosen", async () => {
  await code.command("Dovetail: Choose a Model");
  await code.choose("Qwen2.5-Coder 0.5B");
  const dialog = await question("Download Qwen2.5-Coder 0.5B (0.5 GB) from the Hugging Face hub?");
  assert.match(await dialog.innerText(), /Licence: Apache-2\.0\./);
  await dialog.getByText("Download", { exact: true }).click();

  // The setting has the name, which the server looks for in vain: nothing was downloaded.
  await until("the server is asked for the model", async () =>
    (await code.status("warning")).includes("The model qwen2.5-coder-0.5b is not on this machine"));
  assert.match(readFileSync(log, "utf8"), /-m dovetail models get qwen2\.5-coder-0\.5b --json$/m);
});

/** Open a VS Code in which nothing was asked yet, and return the message that asks. */
async function asked() {
  await code.close();
  code = undefined;
  rmSync(log);
  code = await open();
  await code.openFile("shop.py");
  return code.page.locator(".notification-toast", { hasText: MISSING });
}

test("*Install* in the message is an answer, after which no dialog asks again", async () => {
  const message = await asked();
  assert.match(await message.innerText(), /About 65 MB are downloaded; it takes 310 MB of disk space\./);
  await message.getByText("Install", { exact: true }).click();

  await code.status("check");
  assert.equal(await code.page.locator(".monaco-dialog-box").count(), 0);
  assert.equal(pips().length, 1);
});

test("while the message asks, which may have folded away, *Install the server* in the menu is its answer", async () => {
  await (await asked()).waitFor();

  await code.clickStatus();
  await code.choose("Install the server");

  await code.status("check");
  assert.equal(await code.page.locator(".monaco-dialog-box").count(), 0);
  assert.equal(pips().length, 1);
});
