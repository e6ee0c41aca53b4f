import assert from "node:assert/strict";
import { test } from "node:test";
import { sentenceAbout, unknownSettings } from "../src/unknown_settings";

const KNOWN = ["model", "maxTokens", "languages", "host.shared", "host.idle", "python.targetVersion"];

test("names that nobody declares are found, also below the name of others", () => {
  const written = {
    model: "x", modell: "y", languages: { go: true }, host: { shared: true, idel: 3 }, python: { targetVersion: null },
    qqqqqqq: { a: 1 },
  };
  assert.deepEqual(unknownSettings(written, KNOWN), ["modell", "host.idel", "qqqqqqq"]);
  assert.deepEqual(unknownSettings({ host: 1 }, KNOWN), ["host"]);
  assert.deepEqual(unknownSettings(undefined, KNOWN), []);
});

test("the nearest name is proposed, and none that is far", () => {
  assert.equal(sentenceAbout("modell", KNOWN), "There is no setting `dovetail.modell`: did you mean `dovetail.model`?");
  assert.equal(
    sentenceAbout("max_tokens", KNOWN), "There is no setting `dovetail.max_tokens`: did you mean `dovetail.maxTokens`?");
  assert.equal(
    sentenceAbout("host.idel", KNOWN), "There is no setting `dovetail.host.idel`: did you mean `dovetail.host.idle`?");
  assert.equal(sentenceAbout("qqqqqqq", KNOWN), "There is no setting `dovetail.qqqqqqq`.");
});
