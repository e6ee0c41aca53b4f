import assert from "node:assert/strict";
import { test } from "node:test";
import { shownOf } from "../src/pip_output";

test("what is fetched is shown beside the step", () => {
  assert.equal(shownOf("downloading", "Collecting lark"), "downloading. Collecting lark");
  assert.equal(shownOf("downloading", "  Using cached lark-1.3.whl"), null);
});

test("unpacking, which takes longest, is not called downloading", () => {
  assert.match(shownOf("downloading", "Installing collected packages: lark, numpy") ?? "", /^unpacking/);
});
