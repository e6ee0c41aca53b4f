import assert from "node:assert/strict";
import { test } from "node:test";
import { description, modelsCommand, question, readModels, readStep } from "../src/offered_models";

const PLAIN = {
  name: "small-1b", title: "Small 1B", gigabytes: 1.2, licence: "Apache-2.0", languages: "Python", reason: "For tests.",
  repository: "owner/small", file: "small.gguf", fit: "memory", fit_words: "fits", path: null, unfinished: 0, speed: null,
};

const answer = (...models: object[]): string => JSON.stringify({ machine: {}, models });

test("the list is asked of the program that serves", () => {
  assert.deepEqual(
    modelsCommand(["/venv/python", "-I", "-m", "dovetail", "serve", "--log-file", "x"], "--json"),
    ["/venv/python", "-I", "-m", "dovetail", "models", "--json"]);
  assert.deepEqual(modelsCommand(["dovetail", "serve"], "get", "small-1b"), ["dovetail", "models", "get", "small-1b"]);
  assert.equal(modelsCommand(["ssh", "host"]), null);
  assert.equal(modelsCommand(["serve"]), null);
});

test("a model is shown with its size, whether it fits, and its licence", () => {
  const [model] = readModels(answer(PLAIN)) ?? [];

  assert.ok(model !== undefined);
  assert.equal(description(model), "1.2 GB to download · fits · Apache-2.0");
  assert.equal(question(model), "Download Small 1B (1.2 GB) from the Hugging Face hub?");
});

test("what is here, in part or measured, is said", () => {
  const [part, here] = readModels(answer(
    { ...PLAIN, unfinished: 400_000_000 },
    { ...PLAIN, path: "/cache/small.gguf", speed: { prompt: 200, text: 31.6, numbers: "cpu" } })) ?? [];

  assert.ok(part !== undefined && here !== undefined);
  assert.equal(description(part), "1.2 GB, of which 0.4 GB are here · fits · Apache-2.0");
  assert.equal(description(here), "on this machine · fits · 32 tokens a second here · Apache-2.0");
  assert.deepEqual([part.isHere, here.isHere], [false, true]);
});

test("what is no list of models gives none", () => {
  for (const other of ["", "usage: dovetail", "[]", "{}", answer({ name: "small-1b" }), answer({ ...PLAIN, gigabytes: "1" })]) {
    assert.equal(readModels(other), null, other);
  }
});

test("each line of a download is a step, and other lines are none", () => {
  assert.deepEqual(readStep('{"received": 5, "size": 10}'), { kind: "received", bytes: 5, size: 10 });
  assert.deepEqual(readStep('{"path": "/cache/small.gguf"}'), { kind: "done" });
  for (const other of ["", "Downloading", "[]", '{"received": 5}', "null"]) {
    assert.equal(readStep(other), null, other);
  }
});
