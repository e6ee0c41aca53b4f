import assert from "node:assert/strict";
import { test } from "node:test";
import { explanationOf, type Lines } from "../src/left_out";

/** A part as the server answers it. */
function part(lines: Lines | null, unread = false): unknown {
  return { lines, instead: "", unread };
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

test("lines that were left out are those that the server names", () => {
  const lines = [{ first: 0, last: 0 }, { first: 4, last: 6 }];
  const answer = { message: "Lines were left out.", ignored: lines.map((each) => part(each)) };

  assert.deepEqual(explanationOf(answer)?.leftOut, lines);
});

test("a header that was put in, and text that was not read yet, are no lines that were left out", () => {
  const ignored = [part(null), part({ first: 10, last: 40 }, true)];

  assert.deepEqual(explanationOf({ message: "So.", ignored })?.leftOut, []);
});

test("a server that names no lines leaves none out", () => {
  assert.deepEqual(explanationOf({ message: "So.", ignored: [{ instead: "", unread: false }] })?.leftOut, []);
});
