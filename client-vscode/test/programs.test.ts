import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { findCommand } from "../src/command";
import { onPath, run } from "../src/programs";

const root = mkdtempSync(path.join(tmpdir(), "dovetail-"));
after(() => rmSync(root, { recursive: true }));

/** Make a folder with files, executable or not, and return its path. */
function folder(name: string, files: Record<string, boolean>): string {
  const made = path.join(root, name);
  mkdirSync(made);
  for (const [file, executable] of Object.entries(files)) {
    writeFileSync(path.join(made, file), "#!/bin/sh\n");
    chmodSync(path.join(made, file), executable ? 0o755 : 0o644);
  }
  return made;
}

const plain = folder("plain", { dovetail: false });
const first = folder("first", { dovetail: true });
const second = folder("second", { dovetail: true, other: true });
mkdirSync(path.join(root, "folder", "dovetail"), { recursive: true });

test("the first executable file on the path is found; folders are skipped", async () => {
  const PATH = ["/nowhere", path.join(root, "folder"), plain, first, second].join(":");

  assert.equal(await onPath("dovetail", { PATH }), path.join(first, "dovetail"));
  assert.equal(await onPath("other", { PATH }), path.join(second, "other"));
  assert.equal(await onPath("missing", { PATH }), null);
});

test("a relative folder on the path is not searched, because it could lie in a workspace", async () => {
  const relative = path.relative(process.cwd(), first);

  assert.equal(await onPath("dovetail", { PATH: `:.:${relative}` }), null);
});

test("a program runs to its end; one that does not exist has no exit code", async () => {
  assert.deepEqual(
    await run(process.execPath, ["-e", "console.log(process.cwd()); process.exit(3)"], root),
    { code: 3, stdout: `${root}\n`, stderr: "" });
  assert.equal((await run(path.join(root, "missing"), [], root)).code, null);
});

test("a program that Node refuses to start has no exit code and throws nothing", async () => {
  assert.equal((await run("", [], root)).code, null);
  assert.equal((await run("a\0b", [], root)).code, null);
});

test("on Windows, scripts that need a shell are skipped", async () => {
  const shims = folder("shims", { "python3.bat": true, "python3.CMD": true });
  const real = folder("real", { "python3.EXE": true });
  const variables = { Path: [shims, real].join(";"), PATHEXT: ".COM;.EXE;.bat;.CMD" };

  assert.equal(await onPath("python3", variables, "win32"), path.join(real, "python3.EXE"));
  assert.equal(await onPath("python3", { ...variables, Path: shims }, "win32"), null);
});

test("the configured command comes first, then the installed server, then the one on the path", async () => {
  const installed = { command: () => Promise.resolve(["python", "-m", "dovetail", "serve"] as const) };
  const nothing = { command: () => Promise.resolve(null) };
  const variables = { PATH: first };

  assert.deepEqual(await findCommand(["mine"], installed, variables), ["mine"]);
  assert.deepEqual(await findCommand(null, installed, variables), ["python", "-m", "dovetail", "serve"]);
  assert.deepEqual(await findCommand(null, nothing, variables), [path.join(first, "dovetail"), "serve"]);
  assert.equal(await findCommand(null, nothing, { PATH: plain }), null);
});
