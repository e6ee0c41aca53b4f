import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  change, commandOf, initializationOptions, languagesOn, RESTARTING_SETTINGS, SERVER_SETTINGS, switchedOver,
  type Configuration,
} from "../src/settings";

interface Declaration {
  readonly default: unknown;
  readonly scope?: string;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly items?: Declaration;
}
interface Section {
  readonly properties: Record<string, Declaration>;
}
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly contributes: { readonly configuration: readonly Section[] };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
};
const declared = Object.assign({}, ...manifest.contributes.configuration.map((section) => section.properties)) as
  Section["properties"];

/** The configuration of the manifest's defaults with some values of a user. */
function configured(values: Record<string, unknown>): Configuration {
  return {
    get: (name) => name in values ? values[name] : declared[`dovetail.${name}`]?.default,
    inspect: (name) => ({ defaultValue: declared[`dovetail.${name}`]?.default }),
  };
}

test("without settings of the user, the server receives no options", () => {
  assert.deepEqual(initializationOptions(configured({})), {});
});

test("settings of the user are sent under the server's names", () => {
  const options = initializationOptions(
    configured({ maxTokens: 16, temperature: 0.5, "python.targetVersion": "3.11", model: "/models/one", shape: "auto" }));

  assert.deepEqual(
    options, { max_tokens: 16, temperature: 0.5, "python.target_version": "3.11", model: "/models/one" });
});

test("an empty string and null mean the default", () => {
  assert.deepEqual(initializationOptions(configured({ model: "", "python.targetVersion": null })), {});
});

/** Return the value that `change` writes, and whether it goes into the user's settings. */
async function written(workspaceValue: unknown, value: unknown): Promise<unknown> {
  let said: unknown = null;
  await change({
    ...configured({}),
    inspect: () => ({ defaultValue: null, workspaceValue }),
    update: (_, value, ofUser) => {
      said = [value, ofUser];
      return Promise.resolve();
    },
  }, "model", value);
  return said;
}

test("a setting is changed where its value comes from, so that the change takes effect", async () => {
  assert.deepEqual(await written(undefined, "/models/one"), ["/models/one", true]);
  assert.deepEqual(await written("/models/workspace", "/models/one"), ["/models/one", false]);
  assert.deepEqual(await written(null, "/models/one"), ["/models/one", false]);
});

test("unsetting removes a value from the user's settings, but writes null into a workspace's, where it hides the user's", async () => {
  assert.deepEqual(await written(undefined, null), [undefined, true]);
  assert.deepEqual(await written("/models/workspace", null), [null, false]);
});

test("every setting that the code reads is declared with a default", () => {
  for (const name of [...SERVER_SETTINGS, ...RESTARTING_SETTINGS, "server.python", "server.pipArguments"]) {
    assert.ok("default" in (declared[`dovetail.${name}`] ?? {}), name);
  }
});

test("an untrusted workspace chooses neither the programs that run, nor the model, nor what it is shown", () => {
  assert.deepEqual(
    [...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort(),
    ["dovetail.context", "dovetail.model", "dovetail.server.command", "dovetail.server.pipArguments", "dovetail.server.python"]);
});

test("the languages that are set to true are on", () => {
  const known = declared["dovetail.languages"]?.default as Record<string, boolean>;
  assert.ok(Object.values(known).every(Boolean));
  assert.deepEqual(languagesOn(known), Object.keys(known));
  assert.deepEqual(languagesOn({ python: true, json: false, go: "yes" }), ["python"]);
  assert.deepEqual([null, undefined, ["python"], "python"].map(languagesOn), [[], [], [], []]);
});

test("a command is a list of strings that begins with a program", () => {
  assert.deepEqual(commandOf(["python3", "-m", "dovetail", "serve"]), ["python3", "-m", "dovetail", "serve"]);
  for (const none of [[], [" "], ["python3", 3], "dovetail serve", null, undefined]) {
    assert.equal(commandOf(none), null);
  }
});

/** Return whether VS Code accepts a text for a setting, by the pattern in the manifest. */
function accepts(declaration: Declaration | undefined, text: string): boolean {
  assert.ok(declaration?.pattern !== undefined && declaration.patternErrorMessage !== undefined);
  return new RegExp(declaration.pattern, "u").test(text);
}

test("programs that cannot be run without a shell are refused where they are typed", () => {
  for (const declaration of [declared["dovetail.server.python"], declared["dovetail.server.command"]?.items]) {
    assert.deepEqual(
      ["/usr/bin/python3", "C:\\Python\\python.exe", "dovetail", "serve"].map((text) => accepts(declaration, text)),
      [true, true, true, true]);
    assert.deepEqual(
      ["python.bat", "C:\\tools\\python.CMD"].map((text) => accepts(declaration, text)), [false, false]);
  }
});

test("settings with paths and programs belong to a machine, and are not shared between machines", () => {
  for (const name of ["model", "server.command", "server.python", "server.pipArguments"]) {
    assert.equal(declared[`dovetail.${name}`]?.scope, "machine-overridable", name);
  }
});

test("the extension brings a key that asks by hand, and one that accepts the next line", () => {
  const { keybindings } = (manifest as unknown as { contributes: { keybindings: { command: string; when: string }[] } })
    .contributes;

  assert.deepEqual(keybindings.map(({ command }) => command), [
    "editor.action.inlineSuggest.trigger", "dovetail.suggestHere", "editor.action.inlineSuggest.acceptNextLine",
  ]);
  assert.doesNotMatch(keybindings[0]?.when ?? "", /inlineSuggestionVisible/);
  assert.match(keybindings[2]?.when ?? "", /inlineSuggestionVisible/);
});

test("a language that is switched off and on again leaves no setting of the user behind", () => {
  const known = declared["dovetail.languages"]?.default as Record<string, boolean>;

  const off = switchedOver(configured({}), "python");
  assert.deepEqual(off, { python: false });
  assert.equal(switchedOver(configured({ languages: { ...known, ...off } }), "python"), null);
  assert.deepEqual(switchedOver(configured({}), "rust"), { rust: true });
  const ofWorkspace: Configuration = {
    get: () => ({ ...known, go: false }), inspect: () => ({ defaultValue: known, workspaceValue: { go: false } }),
  };
  assert.deepEqual(switchedOver(ofWorkspace, "go"), known);
});
