// Go as a person types it: what is suggested ends where the block ends, and VS Code's own closing brace is not doubled.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start } from "./programs.mjs";
import { root, serverCommand, Workbench } from "./workbench.mjs";

const typed = join(root, "tests", "end_to_end", "typed");
const files = readdirSync(typed).filter((name) => name.endsWith(".go")).map((name) => join(typed, name));
const [store, prices] = ["store.go", "prices.go"].map((name) => readFileSync(join(typed, name), "utf8").split("\n"));
const HEADER = "func (s *Store) Take(name string, count int) error {";
const LOOP = "\tfor _, name := range s.Names() {";

/** Return the index of a line, and the one after the first line from there on that equals `last`. */
function part(lines, first, last) {
  const begin = lines.indexOf(first);
  return [begin, lines.indexOf(last, begin) + 1];
}

const [take, takeEnd] = part(store, "// Take removes some items from the store.", "}");
const [loop, loopEnd] = part(store, LOOP, "\t}");
const without = (begin, end) => [...store.slice(0, begin), ...store.slice(end)].join("\n");

let code, model, pictures = 0;

before(async () => {
  // A model that knows these files by heart, and would go on beyond each block.
  const [python] = serverCommand;
  model = start(python, ["-m", "tests.end_to_end.known_text", ...files], {
    ...process.env, PYTHONPATH: `${join(root, "server")}:${root}`,
  });
  const address = /listening on (\S+)/.exec(await model.listening)[1];
  code = await Workbench.open(
    { "dovetail.server.command": serverCommand, "dovetail.model": address },
    {
      "security.workspace.trust.enabled": false, "dovetail.timeLimit": 600, "dovetail.maxTokens": 200,
      "dovetail.trigger": "eager",
    },
    { "new.go": "", "function.go": without(take, takeEnd), "loop.go": without(loop, loopEnd) });
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

/** Wait until the ghost text is that of some lines, and accept it. */
async function accept(lines) {
  await code.suggested(lines.map((line) => line.trim()));
  const target = process.env.DOVETAIL_SCREENSHOTS;
  if (target !== undefined) {
    mkdirSync(target, { recursive: true });
    pictures += 1;
    await code.page.screenshot({ path: join(target, `braces-${pictures}.png`) });
  }
  await code.press("Tab");
  await code.noGhostText();
}

test("a function from nothing: its body is suggested up to the brace that VS Code has put there", async () => {
  const [header, end] = part(prices, "func Total(prices []float64, rate float64) float64 {", "}");
  await code.openFile("new.go");
  await code.status("check");
  await typeLines(prices.slice(0, header + 1));
  await accept(prices.slice(header + 1, end - 1));

  const text = await code.saved("new.go", (text) => text.length > 100);
  assert.equal(text, prices.slice(0, end).join("\n"));
});

test("a function between others: nothing of the next one is suggested", async () => {
  await code.openFile("function.go");
  await code.goToEndOf(take);
  await code.press("Enter");
  const header = store.indexOf(HEADER);
  await typeLines(store.slice(take, header + 1));
  await accept(store.slice(header + 1, takeEnd - 1));

  assert.equal(await code.saved("function.go", () => true), store.join("\n"));
});

test("a loop in a function: the statements after it stay where they are", async () => {
  await code.openFile("loop.go");
  await code.goToEndOf(loop);
  await code.press("Enter");
  await typeLines([LOOP]);
  await accept(store.slice(loop + 1, loopEnd - 1));

  assert.equal(await code.saved("loop.go", () => true), store.join("\n"));
});

test("no other machine was contacted", () => {
  assert.deepEqual([...code.strangers], []);
});
