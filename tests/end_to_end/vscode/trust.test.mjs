// The settings of a workspace: they choose programs and models only if the workspace is trusted.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { serverCommand, Workbench } from "./workbench.mjs";

const trace = join(tmpdir(), `dovetail-trace-${process.pid}`);
const requests = `${trace}-requests`;
// The checkout's server, and a copy of what it is sent.
const copying = ["sh", "-c", 'copy=$1; shift; tee "$copy" | "$@"', "sh", requests, ...serverCommand];
const FILES = {
  "shop.py": "prices = [1.5, 2.5]\n",
  // Python would import this file if the server ran here.
  "dovetail.py": `open(${JSON.stringify(trace)}, "w").close()\n`,
  ".vscode/settings.json": JSON.stringify({
    "dovetail.server.command": ["touch", trace],
    "dovetail.model": "/nowhere",
  }),
};

/** Open the workspace with the user's settings for trust; return the status in `shop.py`. */
async function statusIn(userSettings, icon) {
  const code = await Workbench.open({ "dovetail.server.command": copying }, userSettings, FILES);
  try {
    await code.openFile("shop.py");
    return await code.status(icon);
  } finally {
    await code.close();
  }
}

after(() => [trace, requests].forEach((path) => rmSync(path, { force: true })));

test("an untrusted workspace sets neither the command nor the model; the server hears that it is untrusted", async () => {
  const untrusted = { "security.workspace.trust.startupPrompt": "never", "security.workspace.trust.banner": "never" };

  assert.match(await statusIn(untrusted, "check"), /The .*model.* is ready/);
  assert.ok(!existsSync(trace));
  assert.match(readFileSync(requests, "utf8"), /"trustedWorkspace":false/);
});

test("a trusted workspace sets the command", async () => {
  assert.match(await statusIn({ "security.workspace.trust.enabled": false }, "warning"), /The server ended unexpectedly/);
  assert.ok(existsSync(trace));
});
