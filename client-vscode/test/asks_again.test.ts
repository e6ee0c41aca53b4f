import assert from "node:assert/strict";
import { test } from "node:test";
import { asksAgain } from "../src/asks_again";

test("the first suggestion comes alone only in versions that were tried, and in later ones", () => {
  const versions = ["1.91.0", "1.138.2", "1.139.0", "1.140.0-insider", "2.0.0", "none"];

  assert.deepEqual(versions.map(asksAgain), [false, false, true, true, true, false]);
});
