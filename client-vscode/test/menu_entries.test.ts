import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesFor, shortened, type ActiveDocument } from "../src/menu_entries";

const PYTHON: ActiveDocument = { language: "Python", languageIsOn: true, isOn: true };

/** The commands of the menu for a state, in order. */
const commands = (...state: Parameters<typeof entriesFor>): string[] => entriesFor(...state).map(({ command }) => command);

test("before the installation and after a failure, the first entry installs the server", () => {
  assert.equal(commands({ kind: "missing" }, null)[0], "dovetail.installServer");
  assert.equal(commands({ kind: "failed", reason: "No.", runs: false }, null)[0], "dovetail.installServer");
});

test("where the server has stopped, the second entry restarts it", () => {
  const found = commands({ kind: "failed", reason: "No.", runs: false }, null);

  assert.equal(found[1], "dovetail.restart");
  assert.equal(found.filter((command) => command === "dovetail.restart").length, 1);
  assert.equal(commands({ kind: "idle" }, null).filter((command) => command === "dovetail.restart").length, 1);
});

test("where the server runs without a model, the first entry chooses one, and nothing is installed", () => {
  const found = commands({ kind: "failed", reason: "There is no file /m.gguf.", runs: true }, null);

  assert.equal(found[0], "dovetail.chooseModel");
  assert.equal(found.filter((command) => command === "dovetail.chooseModel").length, 1);
  assert.ok(!found.includes("dovetail.installServer"));
});

test("a sentence that is too long for the menu is cut between words, with a mark", () => {
  const says = "Nothing is offered here while you type: the embedded model does not know Go, so ask by hand.";

  assert.equal(shortened("The embedded model is ready."), "The embedded model is ready.");
  assert.equal(shortened(says), "Nothing is offered here while you type: the embedded model does not know Go, so …");
  assert.equal(shortened("x".repeat(200)), `${"x".repeat(40)} …`);
});

test("during an installation, the first entry brings its message back", () => {
  assert.equal(commands({ kind: "installing" }, null)[0], "notifications.showList");
  assert.ok(!commands({ kind: "installing" }, null).includes("dovetail.installServer"));
});

test("an update of the server that was offered can be found again", () => {
  assert.equal(entriesFor({ kind: "idle" }, null, true)[0]?.command, "dovetail.updateServer");
  assert.ok(!commands({ kind: "idle" }, null).includes("dovetail.updateServer"));
  assert.equal(entriesFor({ kind: "installing" }, null, true)[0]?.command, "notifications.showList");
});

test("the entries for a language and a document need a document", () => {
  const ofDocuments = ["dovetail.toggleLanguage", "dovetail.toggleDocument"];

  assert.deepEqual(commands({ kind: "idle" }, PYTHON).filter((command) => ofDocuments.includes(command)), ofDocuments);
  assert.deepEqual(commands({ kind: "idle" }, null).filter((command) => ofDocuments.includes(command)), []);
});

test("each entry of a switch says which way it turns suggestions", () => {
  const labels = (...state: Parameters<typeof entriesFor>): string[] => entriesFor(...state).map(({ label }) => label);

  assert.ok(labels({ kind: "idle" }, PYTHON).includes("$(symbol-namespace) Turn suggestions off in Python"));
  assert.ok(labels({ kind: "idle" }, PYTHON).includes("$(file) Turn suggestions off in this document"));
  assert.ok(labels({ kind: "idle" }, { ...PYTHON, languageIsOn: false })
    .includes("$(symbol-namespace) Turn suggestions on in Python"));
  assert.ok(labels({ kind: "idle" }, { ...PYTHON, isOn: false }).includes("$(file) Turn suggestions on in this document"));
  assert.ok(labels({ kind: "idle" }, null).includes("$(circle-slash) Turn suggestions off"));
  assert.ok(labels({ kind: "off" }, null).includes("$(circle-slash) Turn suggestions on"));
});

test("a text is suggested where the server may run and a document is open, and the settings are always at hand", () => {
  assert.equal(commands({ kind: "ready", says: "The model is ready.", warns: false }, PYTHON)[0], "dovetail.suggestNow");
  assert.ok(!commands({ kind: "idle" }, null).includes("dovetail.suggestNow"));
  assert.ok(!commands({ kind: "missing" }, PYTHON).includes("dovetail.suggestNow"));
  assert.deepEqual(entriesFor({ kind: "off" }, null).at(-1),
    { label: "$(settings-gear) Open the settings", command: "workbench.action.openSettings", argument: "dovetail" });
});
