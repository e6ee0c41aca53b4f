// Suggestions by hand where none is shown: the first comes alone, and the keys for other suggestions bring the others.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serverCommand, Workbench } from "./workbench.mjs";

const SHOP = `def total(prices, rate):
    """Return the sum of some prices with the tax."""
    subtotal = sum(
    return subtotal * (1 + rate)
`;
const HOLE = 3;
const CART = `class Cart:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)

    

    def total(self):
        return sum(item.price for item in self.items)
`;

let code;
before(async () => {
  code = await Workbench.open(
    { "dovetail.server.command": serverCommand },
    // A busy machine needs a generous time limit to give the same answers.
    { "security.workspace.trust.enabled": false, "dovetail.timeLimit": 60, "dovetail.trigger": "manual" },
    { "shop.py": SHOP, "cart.py": CART, "list.json": "[1, 2] 3\n", "script.rb": "puts 1\n" });
});
after(() => code?.close());

test("a suggestion that came by hand has others behind it, and the way back leads to it", async () => {
  await code.openFile("shop.py");
  await code.status("check");
  await code.goToEndOf(HOLE);

  await code.press("Alt+Backslash");
  const first = await code.ghostText();
  await code.press("Alt+]");
  const second = await code.ghostText(first);
  await code.press("Alt+[");
  const again = await code.ghostText(second);
  await code.press("Tab");
  await code.noGhostText();

  assert.equal(again, first);
  const text = await code.saved("shop.py", (text) => text !== SHOP);
  assert.ok(text.includes(`sum(${first}`), text);
});

test("the brackets of a header are filled although the editor has closed them and its colon is not there yet", async () => {
  await code.openFile("cart.py");
  await code.status("check");
  await code.goToEndOf(8);
  await code.type("def remove(self, ");

  await code.press("Alt+Backslash");
  const parameters = await code.ghostText();
  await code.press("Tab");
  await code.noGhostText();

  const text = await code.saved("cart.py", (text) => text !== CART);
  assert.ok(text.includes(`    def remove(self, ${parameters})\n\n    def total(self):\n`), text);
});

test("where nothing fits, the key that asks by hand is answered in the status bar", async () => {
  await code.openFile("list.json");
  await code.goToEndOf(1);

  await code.press("Alt+Backslash");

  await code.page.waitForSelector('.statusbar-item:has-text("Nothing is offered here")');
});

test("where there is no grammar, a notification says so to who asks by hand, and later the status bar", async () => {
  await code.openFile("script.rb");
  await code.goToEndOf(1);

  await code.press("Alt+Backslash");
  await code.page.waitForSelector('.notification-toast:has-text("There is no grammar for Ruby")');
  await code.press("Alt+Backslash");

  await code.page.waitForSelector('.statusbar-item:has-text("There is no grammar for Ruby")');
});

test("no other machine was contacted", () => {
  assert.deepEqual([...code.strangers], []);
});
