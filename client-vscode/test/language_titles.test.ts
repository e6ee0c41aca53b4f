import assert from "node:assert/strict";
import { test } from "node:test";
import { titleOf } from "../src/language_titles";

const manifests = [
  {}, null, { contributes: {} },
  { contributes: { languages: [{ id: "lua" }, { id: "go", aliases: ["Go", "go"] }] } },
  { contributes: { languages: [{ id: "lua", aliases: ["Lua"] }] } },
];

test("a language has the first name that an extension gives it", () => {
  assert.equal(titleOf("go", manifests), "Go");
  assert.equal(titleOf("lua", manifests), "Lua");
});

test("a language without a title has its identifier", () => {
  assert.equal(titleOf("fortran", manifests), "fortran");
});

test("a language of the editor itself has a title without an extension", () => {
  assert.equal(titleOf("plaintext", manifests), "plain text");
});
