// A session of realistic typing in a real VS Code: nothing that a person must never see is offered in it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root, serverCommand, until, Workbench } from "./workbench.mjs";

const session = join(root, "tests", "end_to_end", "session");
const [python] = serverCommand;
const PAUSE = "‸";
const script = JSON.parse(readFileSync(join(session, "script.json"), "utf8")).map((file) => ({
  ...file, text: file.of === null ? "" : readFileSync(join(root, file.of), "utf8"),
}));

/** A person looks this long, in milliseconds, at what is there if no request is made. */
const LOOK = 2000;

let code, folder, log, pictures = 0;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "dovetail-session-"));
  log = join(folder, "messages");
  code = await Workbench.open(
    { "dovetail.server.command": [python, join(session, "recorder.py"), log, ...serverCommand] },
    {
      "security.workspace.trust.enabled": false, "dovetail.timeLimit": 60, "dovetail.maxTokens": 16,
      "editor.autoIndent": "none", "editor.autoClosingOvertype": "always", "editor.suggestOnTriggerCharacters": false,
      "editor.wordBasedSuggestions": "off", "editor.trimAutoWhitespace": false,
    },
    Object.fromEntries(script.map(({ file, text }) => [file, text])));
});
after(async () => {
  await code?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Return the number of requests, whether the last is `pending`, and if not, whether nothing was changed since. */
function read() {
  let requests = 0, latest = null, settled = true, pending = false;
  for (const line of existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : []) {
    const { client, message } = JSON.parse(line);
    if (client && message.method === "textDocument/inlineCompletion") {
      requests += 1;
      latest = message.id;
      settled = false;
      pending = true;
    } else if (client && message.method === "textDocument/didChange") {
      settled = false;
    } else if (!client && message.method === undefined && message.id === latest) {
      settled = true;
      pending = false;
    }
  }
  return { requests, settled, pending };
}

/** Wait for the answer to a request that was made since; none is made where the keys went on with what was shown. */
async function answer(requests) {
  const began = Date.now();
  await until("the last request is answered", () => {
    const now = read();
    return (now.requests > requests && now.settled) || (!now.pending && Date.now() - began > LOOK);
  });
}

/** Take a picture of the editor if somebody wants to look at pictures. */
async function picture(name) {
  const target = process.env.DOVETAIL_SCREENSHOTS;
  if (target !== undefined) {
    mkdirSync(target, { recursive: true });
    pictures += 1;
    await code.page.screenshot({ path: join(target, `${String(pictures).padStart(2, "0")}-${name}.png`) });
  }
}

/** Put the cursor at a place of the text. */
async function goTo(text, at) {
  const lines = text.slice(0, at).split("\n");
  const place = `${lines.length}:${lines.at(-1).length + 1}`;
  await code.press("Control+g");
  await code.page.waitForSelector(".quick-input-widget .quick-input-box input", { state: "visible" });
  await code.page.keyboard.type(place);
  await code.press("Enter");
  await code.page.waitForSelector(
    `.statusbar-item[id="status.editor.selection"]:has-text("Ln ${lines.length}, Col ${lines.at(-1).length + 1}")`);
}

/** Type a text as fast as the editor takes it. */
async function type(text) {
  const [first, ...others] = text.split("\n");
  await code.page.keyboard.type(first, { delay: 15 });
  for (const line of others) {
    await code.press("Enter");
    await code.page.keyboard.type(line, { delay: 15 });
  }
}

for (const { file, text: begin, steps } of script) {
  test(`what is typed is in ${file}`, async () => {
    await code.openFile(file);
    await code.status("check");
    let text = begin;
    for (const step of steps) {
      const at = step.after === undefined ? text.length : text.indexOf(step.after) + step.after.length;
      assert.ok(step.after === undefined || text.includes(step.after), `${file} has no ${step.after} any more`);
      await goTo(text, at);
      const parts = step.type.split(PAUSE);
      for (const [number, part] of parts.entries()) {
        const { requests } = read();
        await type(part);
        if (number < parts.length - 1) {
          await answer(requests);
          await picture(file);
        }
      }
      text = text.slice(0, at) + parts.join("") + text.slice(at);
      await code.saved(file, (saved) => saved === text);
    }
  });
}

test("no offer tears a word, moves or comments out text, or breaks a program, and many were shown", (context) => {
  const checked = spawnSync(python, ["-m", "tests.end_to_end.session", log], { cwd: root, encoding: "utf8" });
  assert.equal(checked.status, 0, checked.stderr);
  const { offers, shown, problems } = JSON.parse(checked.stdout);

  context.diagnostic(`${offers} offers, ${shown} of them shown`);
  assert.deepEqual(problems, []);
  assert.ok(shown > 0);
});
