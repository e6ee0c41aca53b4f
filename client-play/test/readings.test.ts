import assert from "node:assert/strict";
import { test } from "node:test";
import { Readings } from "../src/readings";

test("a language is said to be read until its first answer, and so is each of its versions", () => {
  const readings = new Readings();
  const newest = { language: "python", version: "3.14" };
  const json = { language: "json", version: null };

  assert.match(readings.sentence(newest, "Python") ?? "", /^Python 3\.14 is being read\./);
  assert.match(readings.sentence(newest, "Python") ?? "", /^Python 3\.14 is being read\./);
  readings.answered(newest);
  assert.equal(readings.sentence(newest, "Python"), null);
  assert.match(readings.sentence({ ...newest, version: "3.9" }, "Python") ?? "", /^Python 3\.9 is/);
  assert.match(readings.sentence(json, "JSON") ?? "", /^JSON is being read\./);
});
