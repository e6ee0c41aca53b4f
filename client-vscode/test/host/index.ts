/** Tests of the extension inside the extension host; `tests/end_to_end/vscode` starts them. */

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { Face } from "../../src/extension";
import { runAll, until, type Case } from "./runner";

const LEFT = "def total(prices, rate):\n    subtotal = sum(";
const RIGHT = "\n    return subtotal * (1 + rate)\n";
const GAP = new vscode.Position(1, "    subtotal = sum(".length);

/** Return a value that must exist. */
function there<Value>(value: Value | null | undefined): Value {
  assert.ok(value !== null && value !== undefined);
  return value;
}

const extension = there(vscode.extensions.getExtension<Face>("dovetail.dovetail"));
const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("dovetail");

/** Change one of the extension's settings, or remove it if the value is undefined. */
async function set(name: string, value: unknown, target = vscode.ConfigurationTarget.Global): Promise<void> {
  await settings().update(name, value, target);
}

/** Show a new document with the cursor at a position. */
async function show(language: string, content: string, position: vscode.Position): Promise<vscode.TextEditor> {
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content }));
  editor.selection = new vscode.Selection(position, position);
  return editor;
}

/** Return a folder with the embedded model that says that it knows Python alone. */
function narrowModel(): string {
  const embedded = path.resolve(extension.extensionPath, "..", "server", "dovetail", "model", "embedded");
  const folder = mkdtempSync(path.join(tmpdir(), "narrow-"));
  for (const name of readdirSync(embedded)) {
    if (name !== "languages.json") {
      symlinkSync(path.join(embedded, name), path.join(folder, name));
    }
  }
  writeFileSync(path.join(folder, "languages.json"), '["python"]');
  return folder;
}

/** Wait until the model is loaded; return the sentence of the status. */
async function ready(): Promise<string> {
  const face = extension.exports;
  const state = await until("the model is ready", () => {
    const state = face.state();
    return state.kind === "ready" && !state.warns ? state : null;
  });
  return state.says;
}

const CASES: readonly Case[] = [
  ["activated, it starts no server for a document in another language, or for one that is not visible", async () => {
    await show("plaintext", "Nothing to complete.\n", new vscode.Position(0, 0));
    await vscode.workspace.openTextDocument({ language: "python", content: "opened = 'and shown to nobody'\n" });
    const face = await extension.activate();

    assert.equal(face.state().kind, "idle");
    assert.equal(face.serverPid(), null);
    assert.equal(face.shown().text, "$(circle-slash) Dovetail");
    assert.match(face.shown().tooltip, /no grammar for plain text/);
  }],

  ["a visible document in a language that is on starts the server, and the status bar shows when it is ready", async () => {
    await show("python", LEFT + RIGHT, GAP);
    const face = extension.exports;
    const pid = await until("a server runs", () => face.serverPid());
    const says = await ready();

    assert.equal(face.serverPid(), pid);
    assert.deepEqual(face.shown(), { text: "$(check) Dovetail", tooltip: `Dovetail: ${says}`, severity: "plain" });
  }],

  ["in a language that the model does not know, the status bar says so, and in another again that it is ready", async () => {
    const face = extension.exports;
    await ready();
    const folder = narrowModel();
    await set("model", folder);
    const says = await until("the other model is ready", async () => {
      const says = await ready();
      return says.includes(path.basename(folder)) ? says : null;
    });
    const { document } = await show("go", "package main\n\nfunc main() {\n\t\n}\n", new vscode.Position(3, 1));

    await until("the status bar says so", () => face.shown().tooltip.includes("does not know Go"));
    assert.equal(face.shown().text, "$(circle-slash) Dovetail");
    assert.match(await face.why(document), /does not know Go, so ask by hand or choose a model that does \(/);
    await show("python", LEFT + RIGHT, GAP);
    await until("it is ready again", () => face.shown().tooltip === `Dovetail: ${says}`);
    assert.equal(face.shown().text, "$(check) Dovetail");
    await set("model", undefined);
    await until("the embedded model is back", async () => (await ready()).includes("The embedded model"));
  }],

  ["every command of the manifest is registered", async () => {
    const { contributes } = extension.packageJSON as {
      contributes: Record<"commands" | "keybindings", { command: string }[]>;
    };
    const known = new Set(await vscode.commands.getCommands(true));

    assert.deepEqual([...contributes.commands, ...contributes.keybindings].map(({ command }) => command).filter((command) => !known.has(command)), []);
  }],

  ["a suggestion has a text, a range and the server's command, and fits both sides", async () => {
    const { document } = await show("python", LEFT + RIGHT, GAP);
    const [item, ...others] = await until("there is a suggestion",
      async () => (await extension.exports.suggestions(document, GAP)).length > 0
        && extension.exports.suggestions(document, GAP)) as vscode.InlineCompletionItem[];

    assert.ok(item instanceof vscode.InlineCompletionItem);
    assert.deepEqual(others, []);      // typing requests one
    assert.ok(typeof item.insertText === "string" && item.insertText !== "");
    assert.ok(item.range?.isSingleLine === true && item.range.end.isEqual(GAP));
    assert.equal(item.command?.command, "dovetail.server.accepted");
    assert.equal(item.command.arguments?.length, 1);
    assert.ok((await vscode.commands.getCommands(true)).includes("dovetail.server.accepted"));
  }],

  ["triggered by hand, VS Code shows a suggestion and inserts it into the document", async () => {
    const editor = await show("python", LEFT + RIGHT, GAP);
    const before = editor.document.getText();
    await until("a text is accepted", async () => {
      await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
      await vscode.commands.executeCommand("editor.action.inlineSuggest.commit");
      return editor.document.getText() !== before;
    });

    assert.ok(editor.document.getText().startsWith(LEFT));
    assert.ok(editor.document.getText().endsWith(RIGHT));
  }],

  ["the server explains why there was no suggestion", async () => {
    const { document } = there(vscode.window.activeTextEditor);

    assert.match(await extension.exports.why(document), /\S+.*\.$/s);
    const { document: text } = await show("plaintext", "Nothing.\n", new vscode.Position(0, 0));
    assert.match(await extension.exports.why(text), /no grammar for plain text/);
  }],

  ["the lines that were left out are faint once the user asks why, until the document changes", async () => {
    const above = "x = = 1\ny = 2\nz = )\n";
    const gap = GAP.translate(3);
    const { document } = await show("python", above + LEFT + RIGHT, gap);
    await extension.exports.suggestions(document, gap);

    assert.deepEqual(extension.exports.faint(document), []);
    await vscode.commands.executeCommand("dovetail.whyNoSuggestion");
    const faint = await until("lines are faint", () => {
      const lines = extension.exports.faint(document);
      return lines.length > 0 && lines;
    });
    assert.deepEqual(faint, [{ first: 0, last: 0 }, { first: 2, last: 2 }]);

    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), "w = 3\n");
    await vscode.workspace.applyEdit(edit);
    assert.deepEqual(extension.exports.faint(document), []);
  }],

  ["no suggestions are requested in a document in which they are turned off", async () => {
    const { document } = await show("python", LEFT + RIGHT, GAP);
    await vscode.commands.executeCommand("dovetail.toggleDocument");

    assert.equal(extension.exports.shown().text, "$(circle-slash) Dovetail");
    assert.deepEqual(await extension.exports.suggestions(document, GAP), []);
    await vscode.commands.executeCommand("dovetail.toggleDocument");
    assert.equal(extension.exports.shown().text, "$(check) Dovetail");
  }],

  ["a changed setting reaches the running server, which stays ready", async () => {
    const face = extension.exports;
    const [pid, says] = [face.serverPid(), await ready()];
    const { document } = await show("python", LEFT + RIGHT, GAP);
    await set("maxCharacters", 10);
    await until("the reason is that the document is too long", async () => {
      await face.suggestions(document, GAP);
      return (await face.why(document)).includes("dovetail.maxCharacters");
    });
    assert.equal(await ready(), says);

    await set("maxCharacters", undefined);
    await until("there is a suggestion", async () => (await face.suggestions(document, GAP)).length > 0);
    assert.deepEqual([face.serverPid(), await ready()], [pid, says]);
  }],

  ["wrong settings stay in the status until they are mended", async () => {
    const says = await ready();
    await set("shape", "word");
    const warned = await until("the status names the setting", () => {
      const state = extension.exports.state();
      return state.kind === "ready" && state.warns ? state.says : null;
    });
    const mistake = "The setting `dovetail.shape` has to be `auto`, `line` or `block`, not 'word'; `auto` is taken.";
    assert.equal(warned, `${says} ${mistake}`);

    await set("shape", undefined);
    assert.equal(await ready(), says);
  }],

  ["settings that the server never sees are checked, in the status and among the reasons", async () => {
    const { document } = await show("python", LEFT + RIGHT, GAP);
    const says = await ready();
    await set("trace.server", "all");
    const mistake = 'The setting `dovetail.trace.server` has to be one of `off`, `messages`, `verbose`, not `"all"`;'
      + ' `"off"` is taken.';
    await until("the status names the setting", () => extension.exports.shown().tooltip === `Dovetail: ${says} ${mistake}`);
    assert.equal(extension.exports.shown().severity, "warning");
    assert.ok((await extension.exports.why(document)).endsWith(mistake));

    await set("trace.server", undefined);
    await until("the status is as before", () => extension.exports.shown().severity === "plain");
  }],

  ["an untrusted workspace, as that of these tests, cannot choose the model", async () => {
    const [pid, says] = [extension.exports.serverPid(), await ready()];
    await set("model", "/a/folder/of/the/workspace", vscode.ConfigurationTarget.Workspace);

    assert.equal(vscode.workspace.isTrusted, false);
    assert.equal(settings().get("model"), null);
    await set("model", undefined, vscode.ConfigurationTarget.Workspace);
    assert.deepEqual([extension.exports.serverPid(), await ready()], [pid, says]);
  }],

  ["another model is loaded without a restart, and a missing one is reported", async () => {
    const face = extension.exports;
    const pid = face.serverPid();
    await set("model", "/a/folder/that/is/not/there");
    const state = await until("the missing model is reported", () => {
      const state = face.state();
      return (state.kind === "ready" && state.warns ? state.says : state.kind === "failed" ? state.reason : null);
    });
    assert.match(state, /\/a\/folder\/that\/is\/not\/there/);
    await set("model", "nope");
    await until("the mistyped name is reported", () => {
      const state = face.state();
      return state.kind === "ready" && state.says.startsWith("There is no model nope; *Dovetail: Choose a Model* lists them.");
    });

    await set("model", undefined);
    await ready();
    assert.equal(face.serverPid(), pid);
  }],

  ["a language can be switched off and on", async () => {
    const face = extension.exports;
    const pid = face.serverPid();
    await set("languages", { python: false });
    await until("the status says that Python is off", () => face.shown().tooltip.includes("turned off in Python"));
    assert.notEqual(face.serverPid(), pid);

    await set("languages", undefined);
    await until("a server runs for Python", () => face.shown().text === "$(check) Dovetail");
    await ready();
  }],

  ["turned off, no server runs; turned on, one does", async () => {
    const face = extension.exports;
    const pid = there(face.serverPid());
    await vscode.commands.executeCommand("dovetail.toggle");
    await until("no server runs", () => face.state().kind === "off" && face.serverPid() === null);
    assert.throws(() => process.kill(pid, 0), "the process is gone");

    await vscode.commands.executeCommand("dovetail.toggle");
    await ready();
  }],

  ["a killed server is restarted, and suggests as before", async () => {
    const face = extension.exports;
    const pid = there(face.serverPid());
    process.kill(pid, "SIGKILL");
    await until("another one runs", () => face.serverPid() !== null && face.serverPid() !== pid);
    await ready();

    const { document } = await show("python", LEFT + RIGHT, GAP);
    await until("there is a suggestion", async () => (await face.suggestions(document, GAP)).length > 0);
  }],

  ["the command to restart replaces the process", async () => {
    const face = extension.exports;
    const pid = face.serverPid();
    await vscode.commands.executeCommand("dovetail.restart");
    await until("another one runs", () => face.serverPid() !== null && face.serverPid() !== pid);
    await ready();
  }],
];

/** Run all tests; VS Code calls this. */
export function run(): Promise<void> {
  return runAll(CASES);
}
