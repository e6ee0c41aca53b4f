import assert from "node:assert/strict";
import { test } from "node:test";
import { appearance, stateAfter } from "../src/state";

const READY = { kind: "ready", says: "The model is ready.", warns: false } as const;
const TOLD = { warns: false, busy: true, message: "The model completes.", preparing: false };

test("a ready server stays ready while its model computes", () => {
  assert.equal(stateAfter(READY, TOLD), READY);
});

test("a server whose model is being loaded is not ready", () => {
  assert.deepEqual(stateAfter({ kind: "starting" }, TOLD), { kind: "loading", says: TOLD.message });
});

test("no tick stands beside a language that is being prepared", () => {
  const waiting = stateAfter(READY, { ...TOLD, message: "Go is being prepared, once.", preparing: true });

  assert.equal(appearance(READY, null).text, "$(check) Dovetail");
  assert.equal(appearance(waiting, null).text, "$(loading~spin) Dovetail");
  assert.deepEqual(stateAfter(waiting, { ...TOLD, busy: false, message: READY.says }), READY);
});

test("the status bar says in words that no server is installed", () => {
  const look = appearance({ kind: "missing" }, null);

  assert.equal(look.text, "$(cloud-download) Dovetail: not installed");
  assert.equal(look.severity, "plain");
});
