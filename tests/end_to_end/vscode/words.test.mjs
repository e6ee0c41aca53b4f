// A React component and an Express handler in TypeScript, accepted word by word and as a whole, while VS Code closes
// brackets, quotes and tags. After each acceptance the document is what is known, with nothing but closers behind it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start, until } from "./programs.mjs";
import { root, serverCommand, Workbench } from "./workbench.mjs";

const typescript = createRequire(join(root, "package.json"))("typescript");
const typed = join(root, "tests", "end_to_end", "typed");
const names = readdirSync(typed).filter((name) => /\.[jt]sx?$/.test(name));
const [orders, server, basket] = ["Orders.tsx", "server.ts", "Basket.jsx"]
  .map((name) => readFileSync(join(typed, name), "utf8").split("\n"));

const component = orders.indexOf("// The orders of a customer, with their prices if they are asked for.");
const item = "        <li key={order.id} onClick={() => setOpen(order.id)}>";
const title = "      <h2 onClick={() => setOpen(!open)}>Basket</h2>";
const name = "  const name = request.params.name;";

/** What may stand behind the text that a person has written so far, because the editor has put it there. */
const CLOSERS = /^(?:[)\]}"'`;]|<\/\w*>)*$/;

let code, model, pictures = 0;

before(async () => {
  const [python] = serverCommand;
  model = start(python, ["-m", "tests.end_to_end.known_text", ...names.map((name) => join(typed, name))], {
    ...process.env, PYTHONPATH: `${join(root, "server")}:${root}`,
  });
  const address = /listening on (\S+)/.exec(await model.listening)[1];
  code = await Workbench.open(
    { "dovetail.server.command": serverCommand, "dovetail.model": address },
    {
      "security.workspace.trust.enabled": false, "dovetail.timeLimit": 600, "dovetail.maxTokens": 300,
      "dovetail.trigger": "eager", "editor.tabSize": 2, "editor.suggestOnTriggerCharacters": false,
      "javascript.autoClosingTags": true, "typescript.autoClosingTags": true, "editor.autoClosingBrackets": "always",
      "editor.autoClosingQuotes": "always", "editor.wordBasedSuggestions": "off",
      "typescript.disableAutomaticTypeAcquisition": true,   // it asks npm
    },
    {
      "Orders.tsx": `${orders.slice(0, component).join("\n")}\n`, "List.tsx": without(orders, item, "        </li>"),
      "server.ts": "", "Name.ts": without(server, name, "  response.send(`Hello, ${name}!`);"),
      "Title.jsx": without(basket, title, title),
    });
});
after(async () => {
  await code?.close();
  if (model !== undefined) {
    process.kill(-model.child.pid, "SIGKILL");
  }
});

/** Return a text without the lines from one on up to another. */
function without(lines, first, last) {
  const begin = lines.indexOf(first);
  const end = lines.indexOf(last, begin);
  assert.ok(begin >= 0 && end >= begin, `no lines are ${first} and ${last}`);
  return [...lines.slice(0, begin), ...lines.slice(end + 1)].join("\n");
}

const squeezed = (text) => text.replaceAll(/\s/g, "");

/** Take a picture of the editor if somebody wants to look at pictures. */
async function picture() {
  const target = process.env.DOVETAIL_SCREENSHOTS;
  if (target !== undefined) {
    mkdirSync(target, { recursive: true });
    pictures += 1;
    await code.page.screenshot({ path: join(target, `words-${String(pictures).padStart(2, "0")}.png`) });
  }
}

/** Assert that a text is the beginning of a known one, with nothing but closers behind it, and the end after `tail`. */
function assertKnown(text, known, tail) {
  const written = squeezed(text), whole = squeezed(known.join("\n")), end = squeezed(tail);
  assert.ok(written.endsWith(end), text);
  const here = end === "" ? written : written.slice(0, -end.length);
  let length = 0;
  while (length < here.length && here[length] === whole[length]) {
    length += 1;
  }
  assert.match(here.slice(length), CLOSERS, text);
}

/** Assert that a text has no syntax error. */
function assertParses(name, text) {
  const kind = name.endsWith("x") ? typescript.ScriptKind.TSX : typescript.ScriptKind.TS;
  const read = typescript.createSourceFile(name, text, typescript.ScriptTarget.Latest, false, kind);
  assert.deepEqual(read.parseDiagnostics.map((found) => found.messageText), [], text);
}

/** Type lines as they are without their indentation, which VS Code adds, and Enter after each. */
async function typeLines(lines) {
  for (const line of lines) {
    await code.type(line.trim());
    await code.press("Enter");
  }
}

/** Accept a suggestion word by word, then the rest of it; check the document after each. */
async function acceptWords(name, known, tail, words) {
  for (let word = 0; word < words; word += 1) {
    const ghost = await code.ghostText();
    const earlier = await code.saved(name, () => true);
    await code.press("Control+ArrowRight");
    await until("the word is in the document", async () =>
      await code.saved(name, () => true) !== earlier || !await code.hasGhostText());
    assertKnown(await code.saved(name, () => true), known, tail);
    if (word % 4 === 0) {
      await picture();
    }
    assert.ok(ghost !== "");
  }
  await acceptAll(name, known, tail);
}

/** Accept all of a suggestion, and check the document. */
async function acceptAll(name, known, tail) {
  await code.ghostText();
  await picture();
  await code.press("Tab");
  await code.noGhostText();
  await picture();
  const text = await code.saved(name, () => true);
  assertKnown(text, known, tail);
  assertParses(name, text);
  return text;
}

test("a handler in TypeScript from nothing, word by word", async () => {
  await code.openFile("server.ts");
  await code.status("check");
  const body = server.indexOf(name);
  await typeLines(server.slice(0, body));
  await acceptWords("server.ts", server, "", 5);

  const text = await code.saved("server.ts", () => true);
  assert.equal(squeezed(`${text};`), squeezed(server.slice(0, server.indexOf("});") + 1).join("\n")));
});

test("the body of a handler in TypeScript: what stands below stays", async () => {
  const body = server.indexOf(name);
  const tail = server.slice(body + 2).join("\n");
  await code.openFile("Name.ts");
  await code.goToEndOf(body);
  await code.press("Enter");
  await acceptWords("Name.ts", server, tail, 3);

  assert.equal(squeezed(await code.saved("Name.ts", () => true)), squeezed(server.join("\n")));
});

test("a component in TypeScript, word by word", async () => {
  await code.openFile("Orders.tsx");
  await code.status("check");
  await code.goToEndOf(component + 1);
  await typeLines(orders.slice(component, component + 2));
  await acceptWords("Orders.tsx", orders, "", 6);

  assert.equal(squeezed(await code.saved("Orders.tsx", () => true)), squeezed(orders.join("\n")));
});

test("the children of an element in TypeScript: the brackets below are not doubled", async () => {
  const line = orders.indexOf(item);
  await code.openFile("List.tsx");
  await code.goToEndOf(line);
  await code.press("Enter");
  await acceptWords("List.tsx", orders, orders.slice(orders.indexOf("      ))}")).join("\n"), 4);

  assert.equal(squeezed(await code.saved("List.tsx", () => true)), squeezed(orders.join("\n")));
});

test("an element whose tag is typed: VS Code ends it, and the suggestion does not", async () => {
  const line = basket.indexOf(title);
  await code.openFile("Title.jsx");
  await code.goToEndOf(line);
  await code.press("Enter");
  await code.type("<h2 onClick={() => setOpen(!open)}>");
  await code.page.waitForFunction(() => document.querySelector(".monaco-editor .view-lines").textContent.includes("</h2>"));
  await acceptAll("Title.jsx", basket, `</h2>${basket.slice(line + 1).join("\n")}`);

  assert.equal(squeezed(await code.saved("Title.jsx", () => true)), squeezed(basket.join("\n")));
});

test("no other machine was contacted", () => {
  assert.deepEqual([...code.strangers], []);
});
