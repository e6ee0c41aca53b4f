import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SERVER_SETTINGS, type Configuration } from "../src/settings";
import { apartFrom, mistakesIn, mistakesInLanguages, type Declared } from "../src/wrong_settings";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Record<string, Declared & { readonly default: unknown }> }[];
  };
};
const declared = new Map(manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties))
  .map(([name, form]) => [name.replace(/^dovetail\./, ""), form]));
const ofServer: readonly string[] = SERVER_SETTINGS;
const own = Object.fromEntries([...declared].filter(([name]) => !ofServer.includes(name)));

/** The configuration of the manifest's defaults with some values of a user. */
function configured(values: Record<string, unknown>): Configuration {
  return {
    get: (name) => name in values ? values[name] : declared.get(name)?.default,
    inspect: (name) => ({ defaultValue: declared.get(name)?.default }),
  };
}

test("what VS Code hands out without a user's settings has no mistakes", () => {
  assert.deepEqual(mistakesIn(configured({}), own), []);
  assert.deepEqual(mistakesIn(configured({ "server.command": ["python3", "-m", "dovetail"], languages: { go: false } }), own), []);
});

for (const [name, value, sentence] of [
  ["languages", ["python"], 'an object such as `{ "python": true }`, not `["python"]`; the default is taken.'],
  ["server.command", "dovetail serve", 'a list of texts such as `["one", "two"]`, not `"dovetail serve"`; `[]` is taken.'],
  ["server.pipArguments", ["-q", 1], 'a list of texts such as `["one", "two"]`, not `["-q",1]`; `[]` is taken.'],
  ["server.python", 3, "a text, not `3`; `null` is taken."],
  ["enabled", "no", 'true or false, not `"no"`; `true` is taken.'],
  ["trace.server", "all", 'one of `off`, `messages`, `verbose`, not `"all"`; `"off"` is taken.'],
] as const) {
  test(`a wrong value is named with what is taken: ${name} = ${JSON.stringify(value)}`, () => {
    assert.deepEqual(
      mistakesIn(configured({ [name]: value }), own), [`The setting \`dovetail.${name}\` has to be ${sentence}`]);
  });
}

test("of the languages only the wrong key is named, not those that VS Code adds", () => {
  const languages = { go: true, javascript: true, lua: "on", python: "yes" };

  assert.deepEqual(mistakesIn(configured({ languages }), own), [
    '`lua` in `dovetail.languages` has to be true or false, not `"on"`; the default is taken.',
    '`python` in `dovetail.languages` has to be true or false, not `"yes"`; the default is taken.',
  ]);
});

test("a language that nobody knows is named with the one that was meant", () => {
  const mistakes = (languages: unknown): string[] => mistakesInLanguages(configured({ languages }), ["plaintext", "rust"]);

  assert.deepEqual(mistakes({ ptyhon: true, lua: false, rust: true, go: true }),
    ["`ptyhon` in `dovetail.languages` is the name of no language: did you mean `python`?"]);
  assert.deepEqual(mistakes({ rsut: true }),
    ["`rsut` in `dovetail.languages` is the name of no language: did you mean `rust`?"]);
  assert.deepEqual(mistakes({ qqqqqqqqq: true }), ["`qqqqqqqqq` in `dovetail.languages` is the name of no language."]);
  assert.deepEqual(mistakes(["python"]), []);
});

test("a status without the mistakes with which it ends is what else it says", () => {
  const mistakes = ["One is wrong.", "Another is wrong."];

  assert.equal(apartFrom(mistakes, "There is no file. One is wrong. Another is wrong."), "There is no file.");
  assert.equal(apartFrom([], "There is no file."), "There is no file.");
  assert.equal(apartFrom(mistakes, "There is no file."), "There is no file.");
});
