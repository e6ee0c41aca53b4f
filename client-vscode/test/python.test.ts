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

/** Answer as Pythons of these versions would, without running them. */
function answering(versions: Record<string, string | Outcome>) {
  return (program: string): Promise<Outcome> => {
    const answer = versions[path.basename(program)] ?? { code: null, stdout: "", stderr: "" };
    return Promise.resolve(typeof answer === "string" ? { code: 0, stdout: `${answer}\n`, stderr: "" } : answer);
  };
}

test("the first Python that is recent enough is chosen", async () => {
  const run = answering({ python3: "3 9", python: "2 7", "python3.12": "3 12" });

  assert.deepEqual(await findPython(null, variables, run, root), { python: path.join(root, "python3.12") });
});

test("the Python that the user has set is chosen, whatever else is installed", async () => {
  const run = answering({ python3: "3 13", mine: "3 11" });

  assert.deepEqual(await findPython("/opt/mine", variables, run, root), { python: "/opt/mine" });
});

test("an empty setting counts as not set", async () => {
  const run = answering({ python3: "3 13" });

  assert.deepEqual(await findPython(" ", variables, run, root), { python: path.join(root, "python3") });
});

test("for an old Python, the sentence names its version and the setting to change", async () => {
  const found = await findPython("/opt/old", variables, answering({ old: "3 10" }), root);

  assert.deepEqual(found, {
    complaint: "/opt/old is Python 3.10, but the server needs 3.11 or later. Set another Python in `dovetail.server.python`.",
  });
});

test("for a Python without ensurepip, the sentence names the missing package", async () => {
  const bare: Outcome = { code: 1, stdout: "", stderr: "ModuleNotFoundError: No module named 'ensurepip'\n" };
  const found = await findPython("/usr/bin/bare", variables, answering({ bare }), root);

  assert.ok("complaint" in found && found.complaint.includes("python3-venv"));
});

test("without any Python, the sentence says what to install", async () => {
  const found = await findPython(null, { PATH: "/nowhere" }, answering({}), root);

  assert.ok("complaint" in found && found.complaint.startsWith("There is no Python on the PATH"));
});

test("for a program other than Python, the sentence says that it could not be run", async () => {
  const found = await findPython(process.execPath, {}, run, root);

  assert.ok("complaint" in found && found.complaint.includes("could not be run"));
});
