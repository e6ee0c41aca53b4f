// What the settings of a workspace can make the extension run: nothing, unless it is trusted.
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { serverCommand, Workbench } from "./workbench.mjs";

const trace = join(tmpdir(), `dovetail-trace-${process.pid}`);
const FILES = {
  "shop.py": "prices = [1.5, 2.5]\n",
  // Python would import these if the server ran here.
  "dovetail.py": `open(${JSON.stringify(trace)}, "w").close()\n`,
  ".vscode/settings.json": JSON.stringify({
    "dovetail.server.command": ["touch", trace],
    "dovetail.model": "/nowhere",
  }),
};

/** Start on the workspace with its trust decided by these settings; return the status of `shop.py`. */
async function statusIn(userSettings, icon) {
  const code = await Workbench.open({ "dovetail.server.command": serverCommand }, userSettings, FILES);
  try {
    await code.openFile("shop.py");
    return await code.status(icon);
  } finally {
    await code.close();
  }
}

after(() => rmSync(trace, { force: true }));

test("a workspace that is not trusted names neither the command nor the model; the user's own hold", async () => {
  const untrusted = { "security.workspace.trust.startupPrompt": "never", "security.workspace.trust.banner": "never" };

  assert.match(await statusIn(untrusted, "check"), /The .*model.* is ready/);
  assert.ok(!existsSync(trace));
});

test("one that is trusted names the command", async () => {
  assert.match(await statusIn({ "security.workspace.trust.enabled": false }, "warning"), /The server ended by itself/);
  assert.ok(existsSync(trace));
});
