import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { type Outcome, run } from "../src/programs";
import { findPython } from "../src/python";

const root = mkdtempSync(path.join(tmpdir(), "dovetail-"));
after(() => rmSync(root, { recursive: true }));
for (const name of ["python3", "python", "python3.12"]) {
  writeFileSync(path.join(root, name), "#!/bin/sh\n");
  chmodSync(path.join(root, name), 0o755);
}
const variables = { PATH: root };

/** Run nothing; answer as pythons of these versions would, by their names. */
function answering(versions: Record<string, string | Outcome>) {
  return (program: string): Promise<Outcome> => {
    const answer = versions[path.basename(program)] ?? { code: null, stdout: "", stderr: "" };
    return Promise.resolve(typeof answer === "string" ? { code: 0, stdout: `${answer}\n`, stderr: "" } : answer);
  };
}

test("the first Python that is young enough is taken", async () => {
  const run = answering({ python3: "3 9", python: "2 7", "python3.12": "3 12" });

  assert.deepEqual(await findPython(null, variables, run, root), { python: path.join(root, "python3.12") });
});

test("the one that the user names is taken, whatever else there is", async () => {
  const run = answering({ python3: "3 13", mine: "3 11" });

  assert.deepEqual(await findPython("/opt/mine", variables, run, root), { python: "/opt/mine" });
});

test("an empty text names none", async () => {
  const run = answering({ python3: "3 13" });

  assert.deepEqual(await findPython(" ", variables, run, root), { python: path.join(root, "python3") });
});

test("an old Python is complained of with its version and what to do", async () => {
  const found = await findPython("/opt/old", variables, answering({ old: "3 10" }), root);

  assert.deepEqual(found, {
    complaint: "/opt/old is Python 3.10, and the server needs 3.11 or later: name another in `dovetail.server.python`.",
  });
});

test("a Python without ensurepip is complained of with the package that is missing", async () => {
  const bare: Outcome = { code: 1, stdout: "", stderr: "ModuleNotFoundError: No module named 'ensurepip'\n" };
  const found = await findPython("/usr/bin/bare", variables, answering({ bare }), root);

  assert.ok("complaint" in found && found.complaint.includes("python3-venv"));
});

test("where there is no Python at all, the sentence says what to install", async () => {
  const found = await findPython(null, { PATH: "/nowhere" }, answering({}), root);

  assert.ok("complaint" in found && found.complaint.startsWith("There is no Python on the PATH"));
});

test("a program that is no Python is complained of", async () => {
  const found = await findPython(process.execPath, {}, run, root);

  assert.ok("complaint" in found && found.complaint.includes("could not be run"));
});
