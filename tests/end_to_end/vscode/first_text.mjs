// How long a person waits after *Install* for the first ghost text: `node first_text.mjs PYTHON`, with a real download.
import { performance } from "node:perf_hooks";
import { Workbench } from "./workbench.mjs";

const LINE = "subtotal = sum(";

const code = await Workbench.open(
  { "dovetail.server.python": process.argv[2] },
  { "security.workspace.trust.enabled": false, "dovetail.trigger": "eager", "dovetail.minCharacters": 1 },
  { "shop.py": `def total(prices, rate):\n    ${LINE}\n    return subtotal * (1 + rate)\n` },
  { fresh: true });
try {
  await code.openFile("shop.py");
  await code.goToEndOf(LINE);
  const message = code.page.locator(".notification-toast", { hasText: "Dovetail's server is not installed." });
  await message.getByText("Install", { exact: true }).click();
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  await code.status("check");
  process.stdout.write(`The server is ready after ${seconds()} s.\n`);
  await code.openFile("shop.py");
  await code.goToEndOf(LINE);
  await code.type("p");
  await code.ghostText();
  process.stdout.write(`The first ghost text is there after ${seconds()} s.\n`);
} finally {
  await code.close();
}
