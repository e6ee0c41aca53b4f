// Wrong settings of a user, in a workspace in Restricted Mode: VS Code warns where they are written, the status and Why name them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serverCommand, Workbench } from "./workbench.mjs";

const RESTRICTED = { "security.workspace.trust.startupPrompt": "never", "security.workspace.trust.banner": "never" };
const WRONG = {
  "dovetail.python.targetVersion": "2.7",
  "dovetail.trigger": "sometimes",
  "dovetail.maxTokens": "many",
  "dovetail.timeLimit": -1,
  "dovetail.context": "all",
  "dovetail.languages": ["python"],
};

/** What is said of each. */
const SAID = [
  "`dovetail.languages` has to be an object such as `{ \"python\": true }`, not `[\"python\"]`; the default is taken.",
  "`dovetail.trigger` has to be `eager`, `balanced` or `manual`, not 'sometimes'; `balanced` is taken.",
  "`dovetail.maxTokens` has to be a whole number of at least 1, not 'many'; `64` is taken.",
  "`dovetail.timeLimit` has to be a number of seconds above 0, not -1; `5.0` is taken.",
  "`dovetail.python.targetVersion` has to be a version of Python that is known",
];

test("each wrong setting of a user is named in the status and by Why, in Restricted Mode too", async () => {
  const { "dovetail.context": context, ...own } = WRONG;
  const code = await Workbench.open(
    { "dovetail.server.command": serverCommand, "dovetail.context": context }, { ...RESTRICTED, ...own },
    { "shop.py": "prices = [1.5, 2.5]\n" });
  try {
    await code.openFile("shop.py");
    await code.page.waitForFunction(
      () => /`dovetail\.maxTokens`/.test(
        document.querySelector('.statusbar-item[id="dovetail.dovetail.dovetail"]')?.getAttribute("aria-label") ?? ""));
    const status = await code.status("warning");
    assert.match(status, /^Dovetail: The embedded model is ready\. /);
    assert.deepEqual(SAID.filter((sentence) => !status.includes(sentence)), []);
    assert.match(status, /`dovetail.context` has to be .*, not 'all'; `workspace` is taken/);

    await code.command("Dovetail: Why Is There No Suggestion?");
    const why = await code.message("Nothing was asked for in this document yet.");
    assert.deepEqual(SAID.filter((sentence) => !why.includes(sentence)), []);

    await code.command("Preferences: Open User Settings (JSON)");
    await code.page.waitForFunction((count) => {
      const problems = document.querySelector('.statusbar-item[id="status.problems"]')?.getAttribute("aria-label") ?? "";
      return Number(/Warnings: (\d+)/.exec(problems)?.[1] ?? 0) >= count;
    }, Object.keys(own).length);
  } finally {
    await code.close();
  }
});

test("a model that is missing is named beside wrong settings; the menu and the message offer another model", async () => {
  const code = await Workbench.open(
    { "dovetail.server.command": serverCommand, "dovetail.model": "/nowhere/x.gguf" },
    { ...RESTRICTED, "dovetail.maxTokens": "many" }, { "shop.py": "x = 1\n" });
  try {
    await code.openFile("shop.py");
    assert.match(await code.status("error"), /There is no file \/nowhere\/x\.gguf.*`dovetail\.maxTokens` has to be/);

    const toast = code.page.locator(".notification-toast", { hasText: "There is no file" }).first();
    await toast.getByRole("button", { name: "Choose a Model" }).waitFor();
    assert.doesNotMatch(await toast.innerText(), /maxTokens/);   // the server names it once, in a message of its own

    await code.clickStatus();
    const first = code.page.locator(".quick-input-list .monaco-list-row .label-name").first();
    assert.match(await first.innerText(), /Choose a model/);
  } finally {
    await code.close();
  }
});

test("a command that is no list is named although no server is installed", async () => {
  const code = await Workbench.open({ "dovetail.server.command": "dovetail serve" }, RESTRICTED, { "shop.py": "x = 1\n" });
  try {
    await code.openFile("shop.py");
    const status = await code.status("cloud-download");
    assert.match(status, /`dovetail.server.command` has to be a list of texts .*, not `"dovetail serve"`; `\[\]` is taken\./);
    assert.match(status, /The server is not installed\./);
    assert.equal(await code.severity(), "warning");
  } finally {
    await code.close();
  }
});
