// What the page shows, and what a person can do with it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { nested, withPage } from "./page.mjs";

test("the worked example of ARCHITECTURE.md is drawn, and its closing makes a program", () => withPage(async (page) => {
  await page.write("((|))");

  assert.equal(await page.says("verdict"), "The text is no program yet. Shortest closing: x Insert it");
  assert.deepEqual(await page.stacks(), [["$", "(", "("], ["$\nC", "(\nB", "(", "start\nA"]]);
  const states = await page.view.locator("#automaton .state").all();
  assert.deepEqual(await Promise.all(states.map((state) => state.getAttribute("data-state"))), ["A", "B", "C"]);
  assert.equal(await page.view.locator("#automaton .state.on-run").count(), 3);
  assert.equal(await page.view.locator("#automaton .state.final").count(), 1);
  assert.deepEqual(await page.view.locator("#automaton .taken").allTextContents(), ["start (", "("]);
  assert.deepEqual(await page.view.locator("#run li").allInnerTexts(), [
    "A takes start ( off the stack and leads to B",
    "B takes ( off the stack and leads to C",
    "C is final, and what lies under it is the bottom of the stack: accepted",
  ]);

  await page.view.keyboard.press("ControlOrMeta+Enter");
  await page.until("verdict", "The text is a program as it stands.");
  assert.equal(await page.text(), "((x))");
}));

test("the page follows every key", () => withPage(async (page) => {
  await page.write("|");
  for (const [key, closing] of [["(", "x)"], ["(", "x))"], ["x", "))"], [")", ")"]]) {
    await page.view.keyboard.type(key);
    await page.view.locator("#verdict code", { hasText: new RegExp(`^${RegExp.escape?.(closing) ?? closing.replaceAll(")", "\\)")}$`) }).waitFor();
  }
  await page.view.keyboard.type(")");
  await page.until("verdict", "The text is a program as it stands.");
  await page.view.keyboard.type("x");
  await page.until("verdict", "Nothing fits here");
  assert.match(await page.says("verdict"), /line 1, column 6: x does not fit here; expected nothing more/);
}));

test("a text that does not fit is refused where it stops fitting, by the context that refuses it", () => withPage(async (page) => {
  await page.write("((|))");
  for (const [tried, says] of [
    ["x)", "After x, ) could follow the text before the cursor, but the text after the cursor could then not follow."],
    ["(a", "After (, a is refused by the text before the cursor"],
    ["(x)", "With it, the text is a program."],
    ["(", "It fits; the shortest closing after it: x)"],
  ]) {
    await page.view.fill("#tried", tried);
    await page.until("trial", says.slice(0, 12));
    await page.settled();
    assert.ok((await page.says("trial")).startsWith(says), await page.says("trial"));
  }
}));

test("what may come next stands in classes, and a click inserts it", () => withPage(async (page) => {
  await page.view.selectOption("#language", "json");
  await page.write("[1, |]");
  assert.deepEqual(await page.view.locator("#expected dt").allInnerTexts(), ["a value"]);

  await page.view.locator(".chip", { hasText: "null" }).click();
  await page.until("verdict", "The text is a program as it stands.");
  assert.equal(await page.text(), "[1, null]");
}));

test("broken lines are struck through and listed, and a click leads to them", () => withPage(async (page) => {
  await page.view.selectOption("#language", "python");
  await page.settled();
  await page.write("a = = 1\nb = [1, |]\n");

  assert.match(await page.says("verdict"), /^Apart from what is struck through, the text is a program as it stands\./);
  assert.equal((await page.view.locator(".cm-left-out").allInnerTexts()).join(""), "a = = 1");
  assert.equal(await page.view.locator(".cm-fault").innerText(), "=");
  assert.match(await page.says("mistakes"), /line 1, column 5 = does not fit here; .* line 1 left out, because it does not fit/);

  await page.view.locator("#mistakes button").first().click();
  await page.view.keyboard.press("Delete");
  await page.view.keyboard.press("Delete");
  await page.until("verdict", "The text is a program as it stands.");
  assert.equal((await page.text()).trim(), "a = 1\nb = [1, ]");
}));

test("a large automaton is cut, and that is said", () => withPage(async (page) => {
  await page.view.selectOption("#language", "python");
  await page.settled();
  await page.write("print(a|)\nprint(b)\n");
  assert.match(await page.says("cut"), /^\d+ of \d+ states are drawn: those that it comes to on this stack\.$/);
  const few = await page.view.locator("#automaton .state").count();

  await page.view.check("#everywhere");
  await page.until("cut", "nearest to the entries");
  assert.equal(await page.view.locator("#automaton .state").count(), 40);
  assert.ok(few > 1 && few < 40);
}));

test("everything can be done with the keyboard alone", () => withPage(async (page) => {
  await page.write("(|)");
  await page.view.keyboard.press("Tab");     // Tab leaves the editor
  assert.equal(await page.view.evaluate(() => document.activeElement?.id), "close");
  const met = [];
  while (met.at(-1) !== "everywhere" && met.length < 40) {
    await page.view.keyboard.press("Tab");
    met.push(await page.view.evaluate(() => document.activeElement?.id || document.activeElement?.className));
  }
  for (const part of ["place", "chip", "tried", "everywhere"]) {
    assert.ok(met.includes(part), `${part} is not among ${met.join(", ")}`);
  }

  await page.view.locator(".chip").first().focus();
  await page.view.keyboard.press("Enter");
  await page.until("verdict", "The text is a program as it stands.");
  assert.ok(await page.view.evaluate(() => document.activeElement?.classList.contains("cm-content")));
}));

test("a grammar that changes is read anew, and its mistakes are shown", () => withPage(async (page) => {
  await page.write("(|)");
  const comeBack = () => page.view.evaluate(() => window.dispatchEvent(new Event("focus")));

  writeFileSync(page.grammar, nested.replace("x", "why"));
  await comeBack();
  await page.until("verdict", "Shortest closing: why");

  writeFileSync(page.grammar, "start: missing\n");
  await comeBack();
  await page.until("verdict", "missing");

  writeFileSync(page.grammar, nested);
  await comeBack();
  await page.until("verdict", "Shortest closing: x");
}));

test("a language is said to be read until its first answer comes", () => withPage(async (page) => {
  let answer;
  const answered = new Promise((resolve) => { answer = resolve; });
  await page.view.route("**/examine", async (route) => {
    await answered;
    await route.continue();
  });
  await page.view.selectOption("#language", "json");
  await page.until("verdict", "JSON is being read.");
  answer();
  await page.settled();

  assert.doesNotMatch(await page.says("verdict"), /is being read/);
}));

test("the page says when the server is gone", () => withPage(async (page) => {
  page.forgiven = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;
  const ended = new Promise((resolve) => page.server.once("exit", resolve));
  page.server.kill("SIGINT");
  assert.equal(await ended, 0);

  await page.view.click(".cm-content");
  await page.view.keyboard.type("(");
  await page.until("verdict", "The server is gone");
}));

test("a text of a document is never read as markup", () => withPage(async (page) => {
  await page.view.selectOption("#language", "json");
  await page.write('["<img src=x onerror=alert(1)>", |<b>]');

  assert.equal(await page.view.locator("main img, main section b:not(.run b)").count(), 0);
  assert.match(await page.says("seam"), /<b>\]/);
}));

for (const colorScheme of ["light", "dark"]) {
  test(`words stand out from what lies behind them in ${colorScheme}`, () => withPage(async (page) => {
    for (const text of ["((|))", "((x|))", "x(|"]) {
      await page.write(text);
      const ratios = await page.view.evaluate(contrasts);
      assert.ok(ratios.length > 20);
      assert.deepEqual(ratios.filter(({ ratio }) => ratio < 4.5), []);
    }
  }, { colorScheme }));
}

const long = Array.from({ length: 300 }, (_, line) => `name_${line + 1} = ${line}\n`).join("");

test("a file is shown where its cursor is", () => withPage(async (page) => {
  await page.view.locator(".cm-line", { hasText: "name_200 = 199" }).waitFor();
}, { opened: { name: "long.py", text: long, place: "200:3" } }));

test("on a narrow screen nothing lies beside the page", () => withPage(async (page) => {
  await page.write("((|))");
  assert.ok(await page.view.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
}, { viewport: { width: 380, height: 800 } }));

/** Return the contrast of each piece of text on the page with what lies behind it, as WCAG 2 defines it. */
function contrasts() {
  const channels = (color) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) {
        return color;
      }
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || element === null || !element.checkVisibility() || element.closest("svg, script") !== null) {
      continue;
    }
    const [one, other] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    found.push({ text: node.data, of: element.className || element.tagName, ratio });
  }
  return found;
}
