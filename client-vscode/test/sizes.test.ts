import assert from "node:assert/strict";
import { test } from "node:test";
import { alwaysNeedsTorch, inWords, isLarge, takes, type Kind } from "../src/sizes";

test("the server alone is not large, and PyTorch is", () => {
  assert.deepEqual((["light", "processor", "graphics"] as Kind[]).filter(isLarge), ["processor", "graphics"]);
});

test("each question names the size", () => {
  assert.equal(takes("light"), "About 65 MB are downloaded; it takes 310 MB of disk space.");
  assert.equal(takes("graphics"), "It takes about 5.6 GB of disk space, and some minutes.");
});

test("sizes are read in megabytes, and from a thousand on in gigabytes", () => {
  assert.deepEqual([inWords(999), inWords(1000), inWords(1649)], ["999 MB", "1.0 GB", "1.6 GB"]);
});

test("only systems without llama.cpp need PyTorch for the server's own model", () => {
  const systems: [NodeJS.Platform, string][] = [["linux", "x64"], ["darwin", "arm64"], ["darwin", "x64"], ["win32", "x64"]];

  assert.deepEqual(systems.map((system) => alwaysNeedsTorch(...system)), [false, false, true, true]);
});
