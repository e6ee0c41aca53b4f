import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { experimental } from "../src/capabilities";

test("the server hears whether the user trusts the workspace", () => {
  assert.equal(experimental("1.139.0", true).trustedWorkspace, true);
  assert.equal(experimental("1.139.0", false).trustedWorkspace, false);
});

test("the server knows each capability by the name that it gets", () => {
  const sources = ["context.py", "by_hand.py", "status.py", "ways.py", "setting_names.py"].map((name) =>
    readFileSync(`../server/dovetail/lsp/${name}`, "utf8")).join("");

  const names = Object.keys(experimental("1.139.0", true));
  assert.deepEqual(names.filter((name) => !sources.includes(`"${name}"`)), []);
});

test("the server knows each of its settings by the name in VS Code", () => {
  const names = experimental("1.139.0", true).settingNames as Record<string, string>;
  assert.equal(names.max_tokens, "dovetail.maxTokens");
  assert.equal(names["python.target_version"], "dovetail.python.targetVersion");
});
