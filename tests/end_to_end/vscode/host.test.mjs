// The tests of the extension inside the extension host (client-vscode/test/host).
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { root, runInHost, serverCommand } from "./workbench.mjs";

test("all tests inside the extension host pass, and no other machine is contacted", async (context) => {
  const { code, lines, strangers } = await runInHost(
    join(root, "client-vscode", "dist", "test", "host", "index.js"),
    { "dovetail.server.command": serverCommand, "dovetail.trigger": "eager" });

  for (const line of lines.filter((line) => /^(ok|FAILED): /.test(line))) {
    context.diagnostic(line);
  }
  assert.equal(code, 0, lines.join("\n"));
  assert.ok(lines.some((line) => line.startsWith("ok: ")), "no test ran");
  assert.deepEqual([...strangers], []);
});
