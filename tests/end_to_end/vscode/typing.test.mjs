// The extension as a person uses it: typing, ghost text, accepting, saving, switches, reasons, and a server that is killed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort, patience, root, serverCommand, until, Workbench } from "./workbench.mjs";

const SHOP = `"""Prices of a shop."""


def total(prices, rate):
    """Return the sum of some prices with the tax."""
    subtotal = sum(
    return subtotal * (1 + rate)


print(total([1.5, 2.5], 0.2))
`;
const HOLE = 6;

/** Return the value of one of the server's metrics, 0 if it is missing. */
async function counted(name) {
  const page = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  const line = page.split("\n").find((line) => line.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length));
}

/** Assert that a text is a Python program. */
function assertProgram(text) {
  const read = spawnSync(
    join(root, ".venv", "bin", "python"), ["-c", "import ast, sys; ast.parse(sys.stdin.read())"],
    { input: text, encoding: "utf8" });
  assert.equal(read.status, 0, `${text}\n${read.stderr}`);
}

let code, metrics;
before(async () => {
  metrics = await freePort();
  code = await Workbench.open(
    { "dovetail.server.command": [...serverCommand, "--metrics", `${metrics}`] },
    // A busy machine needs a generous time limit to give the same answers.
    { "security.workspace.trust.enabled": false, "dovetail.timeLimit": 60, "dovetail.trigger": "eager" },
    { "shop.py": SHOP, "notes.txt": "Nothing to complete.\n" });
});
after(() => code?.close());

test("the status bar is ready once the model is loaded", async () => {
  await code.openFile("shop.py");

  assert.match(await code.status("check"), /^Dovetail: The .*model.* is ready\.$/);
});

test("typing shows ghost text; keys show another suggestion, accept a word, then the rest", async () => {
  await code.goToEndOf(HOLE);
  await code.type("p");
  const first = await code.ghostText();
  if (process.env.DOVETAIL_SCREENSHOT !== undefined) {
    await code.page.screenshot({ path: process.env.DOVETAIL_SCREENSHOT });
  }

  await code.press("Alt+]");
  const second = await code.ghostText(first);
  await code.press("Control+ArrowRight");
  const rest = await code.ghostText(first, second);
  await code.press("Tab");
  await code.noGhostText();

  assert.ok(second.endsWith(rest) && rest.length < second.length, `${second} then ${rest}`);
  const text = await code.saved("shop.py", (text) => text !== SHOP);
  assert.ok(text.includes(`sum(p${second}`), text);
  assertProgram(text);
  const word = second.slice(0, second.length - rest.length);
  await until("the server has counted the suggestion as shown and as accepted", async () =>
    await counted("dovetail_completions_shown_total") > 0
    && await counted('dovetail_completions_accepted_total{extent="all"}') === 1);
  // A part of one character counts as typing.
  assert.equal(await counted('dovetail_completions_accepted_total{extent="part"}'), word.length > 1 ? 1 : 0);
});

test("a key accepts a line, then the rest if the line opens a block; the saved file parses", async () => {
  const before = await code.saved("shop.py", () => true);
  await code.goToEndOf(HOLE);
  await code.press("Enter");
  await code.type("if rate:");
  await code.press("Enter");
  const ghost = await code.ghostText();

  await code.press("Control+Shift+ArrowRight");
  const text = await until("the line is in the file", async () => {
    const text = await code.saved("shop.py", () => true);
    return text.includes("if rate:\n        ") && !/if rate:\n +\n/.test(text) && text;
  });

  const line = /if rate:\n {8}(.*)/.exec(text)[1];
  assert.ok(line.trim() !== "" && ghost.trim().startsWith(line.trim()), `${ghost} as ${line}`);
  assert.notEqual(text, before);
  if (line.endsWith(":")) {
    await code.ghostText();
    await code.press("Tab");
    await code.noGhostText();
  }
  assertProgram(await code.saved("shop.py", () => true));
});

test("a command explains the last answer", async () => {
  await code.command("Dovetail: Why Is There No Suggestion?");

  assert.match(await code.message("Dovetail:"), /^Dovetail: (A completion was offered|Nothing was offered|The last completion was accepted)/);
});

test("a document in which suggestions are turned off says so in the status bar", async () => {
  await code.command("Dovetail: Turn Suggestions On or Off in This Document");

  assert.equal(await code.status("circle-slash"), "Dovetail: Suggestions are turned off in this document.");
  await code.command("Dovetail: Turn Suggestions On or Off in This Document");
  await code.status("check");
});

test("turned off everywhere, no server runs; turned on, one does", async () => {
  assert.equal(code.servers().length, 1);

  await code.command("Dovetail: Turn Suggestions On or Off");
  assert.match(await code.status("circle-slash"), /Suggestions are turned off\. No server is running\./);
  assert.deepEqual(code.servers(), []);
  await code.press("Alt+Backslash");
  assert.equal(await code.message("Dovetail: Suggestions"), "Dovetail: Suggestions are turned off. No server is running.");

  await code.command("Dovetail: Turn Suggestions On or Off");
  await code.status("check");
  assert.equal(code.servers().length, 1);
});

test("a killed server is restarted with one message, and suggests as before", async () => {
  const [killed] = code.servers();
  process.kill(killed, "SIGKILL");

  assert.match(await code.message("The server ended unexpectedly by SIGKILL."), /It is being restarted/);
  await code.status("check");
  assert.notEqual(code.servers()[0], killed);
  await code.openFile("shop.py");
  await code.goToEndOf(HOLE + 1);
  await code.press("Enter");
  await code.type("i");
  await code.ghostText();
  await code.press("Tab");
  await code.noGhostText();
  assertProgram(await code.saved("shop.py", (text) => text !== SHOP));
});

/** Return the process that holds the model, once that of an earlier server has ended. */
function onlyModelProcess() {
  return until("one process holds a model", () => {
    const [model, ...others] = code.modelProcesses();
    return others.length === 0 && model;
  });
}

test("a killed model process is restarted with a plain warning, which the next suggestion removes", async () => {
  // VS Code asks once more after an acceptance, and an answer to that would remove the warning before it can be read.
  await code.command("Dovetail: Turn Suggestions On or Off in This Document");
  await code.status("circle-slash");
  const model = await onlyModelProcess();
  process.kill(model, "SIGKILL");
  await code.command("Dovetail: Turn Suggestions On or Off in This Document");
  assert.equal(await code.status("warning"), "Dovetail: The model process stopped and was restarted.");
  assert.notEqual(code.modelProcesses()[0], model);

  await code.openFile("shop.py");
  await code.goToEndOf(HOLE);
  await code.press("Enter");
  await code.type("r");
  await code.ghostText();
  assert.match(await code.status("check"), /is ready/);
  await code.press("Escape");
  await code.press("Control+z");
  await code.saved("shop.py", () => true);
});

test("a suggestion whose model process is killed comes without another key", async () => {
  await code.goToEndOf(HOLE);
  await code.press("Enter");
  const model = await onlyModelProcess();
  process.kill(model, "SIGSTOP");      // the model answers nothing while the request is on its way
  await code.type("t");
  await until("the request has reached the server", async () => await counted("dovetail_requests_in_progress") > 0);
  process.kill(model, "SIGKILL");

  await code.ghostText();
  assert.match(await code.status("check"), /is ready/);
  await code.press("Escape");
  await code.press("Control+z");
  await code.saved("shop.py", () => true);
});

test("a model is chosen without a restart, and a missing one is refused where it is typed", async () => {
  const running = code.servers();

  await code.command("Dovetail: Choose a Model");
  await code.page.locator(".quick-input-list .label-name", { hasText: "The model that comes with Dovetail" })
    .waitFor({ timeout: patience });
  await code.page.keyboard.type("its name on the");      // the list is longer than what is shown of it
  await code.choose("A model by its name on the Hugging Face hub…");
  await code.page.waitForSelector(".quick-input-message:has-text('owner/name')", { timeout: patience });
  await code.page.keyboard.type("/a/folder/that/is/not/there");
  await code.page.waitForSelector(
    ".quick-input-message:has-text('There is no folder /a/folder/that/is/not/there on this machine.')",
    { timeout: patience });
  await code.press("Escape");
  assert.match(await code.status("check"), /The .*model.* is ready/);

  await code.command("Dovetail: Choose a Model");
  await code.choose("The model that comes with Dovetail");
  assert.match(await code.status("check"), /The .*model.* is ready/);
  assert.deepEqual(code.servers(), running);
});

test("a language without a grammar is named in the status bar", async () => {
  await code.openFile("notes.txt");

  assert.match(await code.status("circle-slash"), /no grammar for plain text/);
});

test("no other machine was contacted", () => {
  assert.deepEqual([...code.strangers], []);
});
