import assert from "node:assert/strict";
import { test } from "node:test";
import { explanationOf } from "../src/left_out";

/** A part as the server answers it. */
function part(startLine: number, endLine: number, endCharacter = 0, unread = false): unknown {
  return {
    range: { start: { line: startLine, character: 0 }, end: { line: endLine, character: endCharacter } },
    instead: "", unread,
  };
}

test("an answer without a sentence explains nothing", () => {
  for (const answer of [null, undefined, "why", {}, { message: 3 }]) {
    assert.equal(explanationOf(answer), null);
  }
});

test("an answer without parts leaves nothing out", () => {
  assert.deepEqual(explanationOf({ message: "Nothing was asked for." }), { message: "Nothing was asked for.", leftOut: [], otherModel: false });
});

test("an answer says whether another model would offer more", () => {
  assert.equal(explanationOf({ message: "The model does not know Go.", other_model: true })?.otherModel, true);
});

test("lines that were left out are whole lines, the last line of a document too", () => {
  const answer = { message: "Lines were left out.", ignored: [part(0, 1), part(4, 7), part(9, 9, 5)] };

  assert.deepEqual(explanationOf(answer)?.leftOut, [
    { first: 0, last: 0 }, { first: 4, last: 6 }, { first: 9, last: 9 },
  ]);
});

test("a header that was put in, and text that was not read yet, are no lines that were left out", () => {
  assert.deepEqual(explanationOf({ message: "So.", ignored: [part(3, 3), part(10, 40, 0, true)] })?.leftOut, []);
});
