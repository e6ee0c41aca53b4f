import assert from "node:assert/strict";
import { test } from "node:test";
import { Questions } from "../src/questions";

const URI = "file:///a.py";

test("a request that came to nothing is waited for where the cursor still is", () => {
  const questions = new Questions();
  const settle = questions.ask(URI, 3, 5);
  assert.equal(questions.isWaitedFor(URI, { line: 2, character: 4 }, false), false);    // it has no answer yet

  settle({ kind: "failed" });

  assert.equal(questions.isWaitedFor(URI, { line: 2, character: 4 }, false), true);
  assert.equal(questions.isWaitedFor(URI, { line: 2, character: 5 }, false), false);
  assert.equal(questions.isWaitedFor("file:///b.py", { line: 2, character: 4 }, false), false);
});

test("what is typed while no server runs is waited for, also before a bracket that the editor has typed", () => {
  const questions = new Questions();
  questions.ask(URI, 3, 5)({ kind: "answered", items: 1, milliseconds: 5 });

  questions.miss(URI, { line: 2, character: 4 }, "()");

  assert.deepEqual(
    [3, 4, 5, 6, 7].map((character) => questions.isWaitedFor(URI, { line: 2, character }, false)),
    [false, true, true, true, false]);
  questions.miss(URI, { line: 2, character: 4 }, "\n    ");
  assert.deepEqual(
    ([[2, 3], [2, 9], [3, 4], [3, 5], [4, 0]] as const)
      .map(([line, character]) => questions.isWaitedFor(URI, { line, character }, false)),
    [false, true, true, false, false]);
});

test("a later request takes the place of what was typed without a server, and a closed document is forgotten", () => {
  const questions = new Questions();
  questions.miss(URI, { line: 0, character: 0 }, "a");
  questions.ask(URI, 1, 2)({ kind: "answered", items: 1, milliseconds: 5 });
  assert.equal(questions.isWaitedFor(URI, { line: 0, character: 1 }, false), false);

  questions.miss(URI, { line: 0, character: 0 }, "a");
  questions.forget(URI);
  assert.equal(questions.isWaitedFor(URI, { line: 0, character: 1 }, false), false);
});

test("where suggestions come by hand alone, only a request by hand is sent again", () => {
  const questions = new Questions();
  questions.miss(URI, { line: 0, character: 0 }, "a");
  assert.equal(questions.isWaitedFor(URI, { line: 0, character: 1 }, true), false);

  for (const byHand of [false, true]) {
    questions.ask(URI, 1, 2, byHand)({ kind: "failed" });
    assert.equal(questions.isWaitedFor(URI, { line: 0, character: 1 }, true), byHand);
  }
});
