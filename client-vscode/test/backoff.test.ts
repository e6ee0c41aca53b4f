import assert from "node:assert/strict";
import { test } from "node:test";
import { delayAfter } from "../src/backoff";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

test("the delay doubles with each end within the last three minutes", () => {
  assert.deepEqual(
    [[0], [0, 2], [0, 2, 5], [0, 2, 5, 10]].map((ends) => delayAfter(ends.map((end) => end * SECOND))),
    [1, 2, 4, 8].map((delay) => delay * SECOND));
});

test("a server that ends five times within three minutes is not restarted", () => {
  assert.equal(delayAfter([0, 1, 2, 3, 4].map((end) => end * SECOND)), null);
  assert.equal(delayAfter([0, 44, 89, 134, 179].map((end) => end * SECOND)), null);
});

test("ends more than three minutes ago do not count", () => {
  assert.equal(delayAfter([0, 1, 2, 3].map((end) => end * SECOND).concat(4 * MINUTE)), SECOND);
  assert.equal(delayAfter([0, MINUTE, 2 * MINUTE, 3 * MINUTE]), 4 * SECOND);
});

test("without an end there is no delay", () => {
  assert.equal(delayAfter([]), 0);
});
