import assert from "node:assert/strict";
import { test } from "node:test";
import { takenBy } from "../src/taken";

const texts = ["prices) * rate", "price for price in prices)\n"];

test("the length of a first and of a second accepted word is counted from the start of the text", () => {
  assert.deepEqual(takenBy(texts, "prices", "prices"), { index: 0, length: 6 });
  assert.deepEqual(takenBy(texts, "prices) *", ") *"), { index: 0, length: 9 });
});

test("a word of another candidate counts for that candidate", () => {
  assert.deepEqual(takenBy(texts, "price for", " for"), { index: 1, length: 9 });
});

test("a typed character, another text and a whole text are not partial acceptances", () => {
  for (const [stands, inserted] of [["p", "p"], ["pq", "pq"], ["prices) * rate", "prices) * rate"]] as const) {
    assert.equal(takenBy(texts, stands, inserted), null);
  }
  assert.equal(takenBy([], "prices", "prices"), null);
});

test("lengths are UTF-16 units", () => {
  assert.deepEqual(takenBy(["\u{1f600} + 1"], "\u{1f600}", "\u{1f600}"), { index: 0, length: 2 });
});
