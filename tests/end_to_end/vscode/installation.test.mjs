// The extension before its server is installed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Workbench } from "./workbench.mjs";

let code;
before(async () => {
  code = await Workbench.open({}, { "security.workspace.trust.enabled": false }, { "shop.py": "prices = [1.5, 2.5]\n" });
});
after(() => code?.close());

test("without a server, the status bar offers the installation and is not red", async () => {
  await code.openFile("shop.py");

  assert.equal(await code.status("cloud-download"), "Dovetail: The server is not installed.");
  assert.equal(await code.severity(), "plain");
});

test("the offer can be found again after its message has gone", async () => {
  await code.message("Dovetail's server is not installed.");

  await code.clickStatus();
  await code.choose("Install the server");
  const dialog = code.page.locator(".monaco-dialog-box", { hasText: "Install Dovetail's server?" });
  await dialog.waitFor();
  await code.press("Escape");
  await dialog.waitFor({ state: "detached" });

  assert.equal(await code.status("cloud-download"), "Dovetail: The server is not installed.");
});
