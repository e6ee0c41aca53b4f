// The extension with VS Code's default settings, where the editor's own list of words opens in front of ghost text.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { patience, serverCommand, until, Workbench } from "./workbench.mjs";

const AREA = `class Shop:
    def __init__(self, width, height):
        self.width = width
        self.height = height

    def area(self):
        """Return the area."""


    def first(self):
        return self.width
`;
const HOLE = 8;

let code;
before(async () => {
  code = await Workbench.open(
    { "dovetail.server.command": serverCommand },
    // The settings of the other tests switch the list off. The last two give the same answers on a busy machine, and
    // by any model.
    {
      "security.workspace.trust.enabled": false, "editor.quickSuggestions": undefined,
      "dovetail.timeLimit": 60, "dovetail.trigger": "eager",
    },
    { "area.py": AREA });
});
after(() => code?.close());

/** Wait until VS Code's list of words is open; return the label of its selected entry. */
async function selectedEntry() {
  const entry = code.page.locator(".suggest-widget.visible .monaco-list-row.focused .label-name");
  await entry.waitFor({ timeout: patience });
  return entry.innerText();
}

/** Wait until no list is open. */
function noList() {
  return code.page.locator(".suggest-widget.visible").waitFor({ state: "hidden", timeout: patience });
}

test("while the list of words is open, ghost text continues its selected entry; Tab takes the one, then the other", async () => {
  await code.openFile("area.py");
  await code.status("check");
  const model = await until("one process holds a model", () => code.modelProcesses()[0]);
  await code.goToEndOf(HOLE);
  await code.type("        ");
  process.kill(model, "SIGSTOP");      // VS Code waits 0.75 s for a suggestion, and then opens its list
  await code.type("ret");
  assert.equal(await selectedEntry(), "return");
  process.kill(model, "SIGCONT");
  const ghost = await code.ghostText();
  assert.equal(await selectedEntry(), "return");
  assert.match(ghost, /^urn\s*\S/);

  await code.press("Tab");
  await noList();
  const rest = await code.ghostText();
  await code.press("Tab");
  await code.noGhostText();

  assert.equal(`urn${rest}`, ghost);
  const text = await code.saved("area.py", (text) => text !== AREA);
  assert.ok(text.includes(`        ret${ghost}`), text);
});

test("the list is named where it is in front; Esc closes it, and Alt+\\ requests a suggestion by hand", async () => {
  const model = await until("one process holds a model", () => code.modelProcesses()[0]);
  await code.press("Enter");
  process.kill(model, "SIGSTOP");
  await code.type("sel");
  assert.equal(await selectedEntry(), "self");
  process.kill(model, "SIGCONT");
  await code.status("check");
  await code.command("Dovetail: Why Is There No Suggestion?");
  assert.match(await code.message("Dovetail:"), /`self`, the entry selected in the editor's list/);

  await code.page.locator(".monaco-editor .view-lines").first().press("Escape");
  await noList();
  await code.press("Alt+Backslash");
  await code.ghostText();
});

test("no other machine was contacted", () => {
  assert.deepEqual([...code.strangers], []);
});
