import assert from "node:assert/strict";
import { test } from "node:test";
import { Questions } from "../src/questions";
import { isUnanswered, whyNone, whyOff, type Circumstances, type Outcome } from "../src/reasons";
import { appearance, hasRecovered, type State } from "../src/state";

const asked: Circumstances = {
  language: "python", title: () => "Fortran", scheme: "file", languagesOn: ["json", "python"], languagesKnown: ["go", "json", "python"], turnedOff: false, editorShows: true,
};
const ready: State = { kind: "ready", says: "The model is ready.", warns: false };

/** The answer to "why?" after one question with an outcome. */
function after(outcome: Outcome): string {
  return whyNone(ready, null, { line: 3, column: 5, outcome });
}

test("a file and an untitled document in a language that is on have no reason to be off", () => {
  assert.equal(whyOff(asked), null);
  assert.equal(whyOff({ ...asked, scheme: "untitled" }), null);
  assert.equal(whyOff({ ...asked, language: "mine", languagesOn: ["mine"] }), null);   // a grammar that the user added
});

test("each reason why a document gets nothing is named, with the setting to change", () => {
  const off: [Partial<Circumstances>, RegExp][] = [
    [{ scheme: "git" }, /with the scheme `git`/],
    [{ language: "go" }, /turned off in \w+\. See .*`dovetail\.languages`/],
    [{ language: "fortran" }, /^There is no grammar for Fortran, so nothing/],
    [{ turnedOff: true }, /turned off in this document/],
    [{ editorShows: false }, /`editor\.inlineSuggest\.enabled`/],
  ];
  for (const [circumstance, expected] of off) {
    assert.match(whyOff({ ...asked, ...circumstance }) ?? "", expected);
  }
});

test("the state of the server comes before the last request", () => {
  const question = { line: 1, column: 1, outcome: { kind: "open" } } as const;

  assert.equal(whyNone({ kind: "loading" }, null, question), "The model is being loaded.");
  assert.equal(whyNone({ kind: "failed", reason: "There is no model in /m.", runs: true }, null, question), "There is no model in /m.");
  assert.match(whyNone({ kind: "off" }, "Off here.", question), /turned off/);
  assert.equal(whyNone(ready, "Off here.", question), "Off here.");
});

test("the outcome of the last request is given with its place", () => {
  assert.match(after({ kind: "open" }), /line 3, column 5, has no answer yet/);
  assert.match(after({ kind: "cancelled" }), /cancelled/);
  assert.match(after({ kind: "failed" }), /failed/);
  assert.match(after({ kind: "answered", items: 0, milliseconds: 400 }), /after 0\.4 s without a suggestion/);
  assert.match(after({ kind: "answered", items: 1, milliseconds: 60 }), /after 0\.1 s with one suggestion/);
  assert.match(whyNone(ready, null, null), /No suggestion has been requested/);
});

test("an answer that arrives after a newer request does not replace the newer one", () => {
  const questions = new Questions();
  const older = questions.ask("file:///a.py", 1, 1);
  const newer = questions.ask("file:///a.py", 2, 2);
  newer({ kind: "answered", items: 1, milliseconds: 5 });

  older({ kind: "cancelled" });

  assert.deepEqual(
    questions.of("file:///a.py"), { line: 2, column: 2, byHand: false, outcome: { kind: "answered", items: 1, milliseconds: 5 } });
  assert.equal(questions.of("file:///b.py"), null);
});

test("a request reports its outcome unless a newer request has taken its place", () => {
  const settled: string[] = [];
  const questions = new Questions((uri) => settled.push(uri));
  const older = questions.ask("file:///a.py", 1, 1);
  const newer = questions.ask("file:///a.py", 2, 2);

  older({ kind: "cancelled" });
  assert.deepEqual(settled, []);
  newer({ kind: "failed" });
  assert.deepEqual(settled, ["file:///a.py"]);
});

test("the status bar warns before a restart, shows a failure as an error, and is plain otherwise", () => {
  const states: State[] = [
    { kind: "idle" }, { kind: "off" }, { kind: "missing" }, { kind: "installing" }, { kind: "starting" },
    { kind: "stopping" }, { kind: "loading" }, ready, { kind: "waiting", reason: "It ended.", seconds: 2 }, { kind: "failed", reason: "No.", runs: false },
  ];

  assert.deepEqual(
    states.map((state) => appearance(state, null).severity),
    ["plain", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "warning", "error"]);
  assert.equal(
    appearance({ kind: "waiting", reason: "It ended.", seconds: 2 }, null).tooltip,
    "Dovetail: It ended. It is restarted in 2 s.");
  assert.equal(appearance({ ...ready, says: "Another model completes.", warns: true }, null).severity, "warning");
  assert.equal(appearance(ready, null).tooltip, "Dovetail: The model is ready.");
  assert.equal(appearance(ready, "Off here.").tooltip, "Dovetail: Off here.");
  assert.equal(appearance({ kind: "loading" }, "Off here.").tooltip, "Dovetail: The model is being loaded.");
});

test("the server has recovered when it becomes ready, and when it reports a new restriction", () => {
  const restarted: State = { kind: "ready", says: "The model process stopped and was restarted.", warns: true };

  assert.deepEqual(
    ([[{ kind: "loading" }, ready], [{ kind: "starting" }, ready], [ready, restarted]] as const)
      .map(([before, now]) => hasRecovered(before, now)),
    [true, true, true]);
  assert.deepEqual(
    ([[ready, ready], [restarted, restarted], [restarted, ready], [ready, { kind: "loading" }]] as const)
      .map(([before, now]) => hasRecovered(before, now)),
    [false, false, false, false]);
});

test("a request is sent again if it got no suggestion and the cursor is still there", () => {
  const outcomes: [Outcome, boolean][] = [
    [{ kind: "open" }, false], [{ kind: "failed" }, true], [{ kind: "cancelled" }, true],
    [{ kind: "answered", items: 0, milliseconds: 5 }, true], [{ kind: "answered", items: 1, milliseconds: 5 }, false],
  ];
  for (const [outcome, expected] of outcomes) {
    assert.equal(isUnanswered({ line: 3, column: 5, outcome }, 3, 5), expected, outcome.kind);
    assert.equal(isUnanswered({ line: 3, column: 5, outcome }, 3, 6), false, outcome.kind);
  }
  assert.equal(isUnanswered(null, 3, 5), false);
});

test("the state of an installation names its step", () => {
  assert.equal(
    appearance({ kind: "installing", step: "creating an environment" }, null).tooltip,
    "Dovetail: The server is being installed: creating an environment.");
});

test("what is waited for before the first answer is said as the server says it", () => {
  const says = "TypeScript is being prepared, once; suggestions come after that.";

  assert.equal(whyNone({ kind: "loading", says }, null, null), says);
  assert.equal(whyNone({ kind: "loading" }, null, null), "The model is being loaded.");
});

test("mistakes in the settings are a warning in every state that is no error, and come after its sentence", () => {
  const ready: State = { kind: "ready", says: "The model is ready.", warns: false };
  const mistakes = ["One is wrong.", "Another is wrong."];

  assert.deepEqual(appearance(ready, null, mistakes), {
    text: "$(warning) Dovetail", severity: "warning",
    tooltip: "Dovetail: The model is ready. One is wrong. Another is wrong.",
  });
  assert.equal(appearance({ kind: "missing" }, null, mistakes).severity, "warning");
  assert.match(appearance({ kind: "missing" }, null, mistakes).tooltip, /^Dovetail: .* not installed\. One is wrong\. Another is wrong\.$/);
  assert.equal(appearance({ kind: "failed", reason: "It ended.", runs: false }, null, mistakes).severity, "error");
  assert.equal(
    appearance({ kind: "failed", reason: "It ended.", runs: false }, null, mistakes).tooltip,
    "Dovetail: It ended. One is wrong. Another is wrong.");
});
