// A React component and an Express handler as a person types them, while VS Code closes brackets, quotes and tags.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start } from "./programs.mjs";
import { root, serverCommand, Workbench } from "./workbench.mjs";

const typed = join(root, "tests", "end_to_end", "typed");
const files = readdirSync(typed).filter((name) => /\.jsx?$/.test(name)).map((name) => join(typed, name));
const [basket, orders] = ["Basket.jsx", "orders.js"].map((name) => readFileSync(join(typed, name), "utf8").split("\n"));

/** Return the index of a line, and the one after the first line from there on that equals `last`. */
function part(lines, first, last) {
  const begin = lines.indexOf(first);
  assert.ok(begin >= 0, `no line is ${first}`);
  return [begin, lines.indexOf(last, begin) + 1];
}

/** Return a text without the lines of a part. */
const without = (lines, begin, end) => [...lines.slice(0, begin), ...lines.slice(end)].join("\n");

const [list, listEnd] = part(basket, "      <ul>", "      </ul>");
const [body, bodyEnd] = part(basket, "export function Basket({ items, onRemove }) {", "}");
const [handler, handlerEnd] = part(orders, 'router.get("/orders/:id", async (request, response, next) => {', "});");
const [missing, missingEnd] = part(orders, "    if (!order) {", "    }");

let code, model, pictures = 0;

before(async () => {
  // A model that knows these files by heart, and would go on beyond each block and element.
  const [python] = serverCommand;
  model = start(python, ["-m", "tests.end_to_end.known_text", ...files], {
    ...process.env, PYTHONPATH: `${join(root, "server")}:${root}`,
  });
  const address = /listening on (\S+)/.exec(await model.listening)[1];
  code = await Workbench.open(
    { "dovetail.server.command": serverCommand, "dovetail.model": address },
    {
      "security.workspace.trust.enabled": false, "dovetail.timeLimit": 600, "dovetail.maxTokens": 300,
      "dovetail.trigger": "eager", "editor.tabSize": 2, "javascript.autoClosingTags": true,
      "typescript.disableAutomaticTypeAcquisition": true,   // it asks npm
      "editor.suggestOnTriggerCharacters": false, "editor.wordBasedSuggestions": "off",
    },
    {
      "Basket.jsx": "", "List.jsx": without(basket, list, listEnd), "List.js": without(basket, list, listEnd),
       "Hint.jsx": without(basket, body + 1, bodyEnd - 1),
      "orders.js": "", "missing.js": without(orders, missing, missingEnd),
    });
});
after(async () => {
  await code?.close();
  if (model !== undefined) {
    process.kill(-model.child.pid, "SIGKILL");
  }
});

/** Type lines as they are without their indentation, which VS Code adds, and Enter after each. */
async function typeLines(lines) {
  for (const line of lines) {
    await code.type(line.trim());
    await code.press("Enter");
  }
}

/** Take a picture of the editor if somebody wants to look at pictures. */
async function picture() {
  const target = process.env.DOVETAIL_SCREENSHOTS;
  if (target !== undefined) {
    mkdirSync(target, { recursive: true });
    pictures += 1;
    await code.page.screenshot({ path: join(target, `elements-${pictures}.png`) });
  }
}

/** Wait until the ghost text is that of some lines, and accept it. */
async function accept(lines) {
  await code.suggested(lines.map((line) => line.trim())).finally(picture);
  await code.press("Tab");
  await code.noGhostText();
  await picture();
}

test("a component from nothing: its body is suggested up to the brace that VS Code has put there", async () => {
  await code.openFile("Basket.jsx");
  await code.status("check");
  await typeLines(basket.slice(0, body + 1));
  await accept(basket.slice(body + 1, bodyEnd - 1));

  const text = await code.saved("Basket.jsx", (text) => text.length > 100);
  assert.equal(text, basket.slice(0, bodyEnd).join("\n"));
});

for (const name of ["List.jsx", "List.js"]) {
  test(`an element among others in ${name}: its children are suggested up to the tag that VS Code has put there`, async () => {
    await code.openFile(name);
    await code.goToEndOf(list);
    await code.press("Enter");
    await code.type("<ul>");
    await code.page.waitForFunction(() => document.querySelector(".monaco-editor .view-lines").textContent.includes("</ul>"));
    await code.press("Enter");
    await accept(basket.slice(list + 1, listEnd - 1));

    assert.equal(await code.saved(name, () => true), basket.join("\n"));
  });
}

test("the body of a component before another one: nothing of the other is suggested", async () => {
  await code.openFile("Hint.jsx");
  await code.goToEndOf(body + 1);
  await code.press("Enter");
  await accept(basket.slice(body + 1, bodyEnd - 1));

  assert.equal(await code.saved("Hint.jsx", () => true), basket.join("\n"));
});

test("a handler from nothing: its body is suggested up to the brace and the parenthesis of VS Code", async () => {
  await code.openFile("orders.js");
  await typeLines(orders.slice(0, handler + 1));
  await accept(orders.slice(handler + 1, handlerEnd - 1));

  const text = await code.saved("orders.js", (text) => text.length > 100);
  assert.equal(`${text};`, orders.slice(0, handlerEnd).join("\n"));
});

test("a condition in a handler: the statements after it stay where they are", async () => {
  await code.openFile("missing.js");
  await code.goToEndOf(missing);
  await code.press("Enter");
  await typeLines([orders[missing]]);
  await accept(orders.slice(missing + 1, missingEnd - 1));

  assert.equal(await code.saved("missing.js", () => true), orders.join("\n"));
});

test("no other machine was contacted", () => {
  assert.deepEqual([...code.strangers], []);
});
