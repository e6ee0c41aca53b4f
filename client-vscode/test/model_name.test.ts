import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { mistakeInName } from "../src/model_name";

const folder = mkdtempSync(path.join(tmpdir(), "dovetail-"));
after(() => rmSync(folder, { recursive: true }));

test("a name on the hub and an existing folder can be used", async () => {
  for (const name of ["owner/name", "owner/name-1.5b_x", folder]) {
    assert.equal(await mistakeInName(name), null, name);
  }
});

test("a folder that is not on this machine is refused by its name", async () => {
  assert.equal(await mistakeInName("/no/such/folder"), "There is no folder /no/such/folder on this machine.");
  assert.match(await mistakeInName("~/no-such-folder") ?? "", /no folder ~\/no-such-folder/);
  // The server runs elsewhere, so a relative path would mean another folder there.
  assert.match(await mistakeInName("./models") ?? "", /no folder/);
});

test("a text that is no name is refused with the form of a name", async () => {
  for (const text of ["", "name", "a b", "owner/name/more", "https://example.com/owner/name"]) {
    assert.equal(await mistakeInName(text), "Write the name of a model on the hub as owner/name.", text);
  }
});
