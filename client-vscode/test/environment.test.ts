import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, beforeEach, test } from "node:test";
import { constraintsOf, Environment, packageOf, type Step } from "../src/environment";

const root = mkdtempSync(path.join(tmpdir(), "dovetail-"));
after(() => rmSync(root, { recursive: true }));
const storage = path.join(root, "storage");
const wheel = path.join(root, "dovetail-0.1.0-py3-none-any.whl");
beforeEach(() => rmSync(storage, { recursive: true, force: true }));

/** Create the files of an environment that matter here, and pretend that all steps but one succeed. */
function pretend(environment: Environment, failing = ""): (step: Step) => Promise<boolean> {
  return (step) => {
    if (step.words.includes("venv")) {
      mkdirSync(path.dirname(environment.python), { recursive: true });
      writeFileSync(environment.python, "");
    }
    return Promise.resolve(step.says !== failing);
  };
}

test("an installed server is found again, with the command that starts it", async () => {
  const environment = new Environment(storage);
  assert.equal(await environment.command(), null);

  assert.equal(await environment.install("python3", wheel, [], pretend(environment)), null);

  assert.equal(await new Environment(storage).installed(), "dovetail-0.1.0-py3-none-any.whl");
  assert.deepEqual(
    await new Environment(storage).command(), [environment.python, "-I", "-m", "dovetail", "serve"]);
});

test("a failed installation names the step that failed, and does not count as installed", async () => {
  for (const says of ["creating an environment", "downloading the server's packages", "testing the server"]) {
    const environment = new Environment(storage);
    await environment.install("python3", wheel, [], pretend(environment));

    const complaint = await environment.install("python3", wheel, [], pretend(environment, says));

    assert.ok(complaint?.includes(says), complaint ?? "no complaint");
    assert.equal(await environment.command(), null);
  }
});

test("an outdated server is updated by pip in the same environment", async () => {
  const environment = new Environment(storage);
  const later = path.join(root, "dovetail-0.2.0-py3-none-any.whl");
  assert.equal(await environment.isOutdated(later), false);      // nothing is installed
  await environment.install("python3", wheel, [], pretend(environment));
  assert.equal(await environment.isOutdated(wheel), false);
  assert.equal(await environment.isOutdated(null), false);
  assert.equal(await environment.isOutdated(later), true);
  assert.equal(await environment.sentenceOfVersions(later),
    "The installed server has version 0.1.0, and this extension brings 0.2.0. It goes on suggesting until you update it.");
  assert.match(await environment.sentenceOfVersions("/checkout"), /^The installed server is of another version than/);
  const performed: Step[] = [];

  const complaint = await environment.update(later, ["--proxy", "p"], (step) => {
    performed.push(step);
    return Promise.resolve(true);
  });

  assert.equal(complaint, null);
  assert.equal(await environment.installed(), path.basename(later));
  assert.deepEqual(performed.map((step) => step.says), ["downloading the server's packages", "testing the server"]);
  const pinned = ["--constraint", path.join(root, "constraints.txt")];
  assert.deepEqual(performed[0]?.words.slice(-5), ["--proxy", "p", ...pinned, later]);
});

test("another server of the same version is put in the place of the installed one", async () => {
  const environment = new Environment(storage);
  const built = path.join(root, "dovetail-0.3.0-py3-none-any.whl");
  writeFileSync(built, "before");
  await environment.install("python3", built, [], pretend(environment));
  assert.equal(await environment.isOutdated(built), false);
  writeFileSync(built, "after");
  const performed: string[] = [];

  assert.equal(await environment.isOutdated(built), true);
  assert.match(await environment.sentenceOfVersions(built), /^The installed server is not the one that this extension/);
  await environment.update(built, [], (step) => {
    performed.push(step.says);
    return Promise.resolve(true);
  });

  assert.deepEqual(performed, ["removing the server before", "downloading the server's packages", "testing the server"]);
  assert.equal(await environment.isOutdated(built), false);
});

test("after a failed update, no server counts as installed", async () => {
  const environment = new Environment(storage);
  await environment.install("python3", wheel, [], pretend(environment));

  const complaint = await environment.update(wheel, [], () => Promise.resolve(false));

  assert.ok(complaint?.includes("downloading the server's packages"), complaint ?? "no complaint");
  assert.equal(await environment.command(), null);
});

test("pip installs the wheel without PyTorch, in the versions that were tested, with the user's arguments", () => {
  const [, fetching] = new Environment(storage).steps("python3", wheel, ["--index-url", "https://mirror.example"], "light");

  const pinned = ["--constraint", path.join(root, "constraints.txt")];
  assert.deepEqual(fetching?.words.slice(-5), ["--index-url", "https://mirror.example", ...pinned, wheel]);
});

test("PyTorch is added to the server that is there, and stays when the server is updated", async () => {
  const environment = new Environment(storage);
  await environment.install("python3", wheel, [], pretend(environment));
  assert.equal(await environment.hasTorch(), false);
  const performed: Step[] = [];
  const perform = (step: Step): Promise<boolean> => {
    performed.push(step);
    return Promise.resolve(true);
  };

  assert.equal(await environment.addTorch(wheel, [], perform, "graphics"), null);
  assert.equal(await environment.hasTorch(), true);
  assert.deepEqual(performed.map((step) => step.says), ["downloading the server's packages", "testing the server"]);
  assert.equal(performed[0]?.words.at(-1), `${wheel}[torch]`);

  performed.length = 0;
  await environment.update(path.join(root, "dovetail-0.2.0-py3-none-any.whl"), [], perform);
  assert.ok(performed.some((step) => step.words.at(-1) === `${root}${path.sep}dovetail-0.2.0-py3-none-any.whl[torch]`));
  assert.equal(await environment.hasTorch(), true);
});

test("if PyTorch cannot be added, the server stays installed without it", async () => {
  const environment = new Environment(storage);
  await environment.install("python3", wheel, [], pretend(environment));

  const complaint = await environment.addTorch(wheel, [], () => Promise.resolve(false), "graphics");

  assert.ok(complaint?.includes("downloading the server's packages"), complaint ?? "no complaint");
  assert.equal(await environment.installed(), path.basename(wheel));
  assert.equal(await environment.hasTorch(), false);
});

test("an installation of the first version, which always had PyTorch, keeps it", async () => {
  const environment = new Environment(storage);
  await environment.install("python3", wheel, [], pretend(environment));
  writeFileSync(path.join(environment.folder, "dovetail.json"), JSON.stringify({ package: path.basename(wheel) }));

  assert.equal(await environment.hasTorch(), true);
});

test("on Linux, PyTorch without CUDA is a step of its own, and the installation continues if that step fails",
  { skip: process.platform !== "linux" }, async () => {
    const environment = new Environment(storage);
    const steps = environment.steps("python3", wheel, ["--proxy", "p"], "processor");
    assert.deepEqual(steps.map((step) => step.says), [
      "creating an environment", "downloading PyTorch for the processor", "downloading the server's packages",
      "testing the server",
    ]);
    const [, torch, rest] = steps;
    assert.equal(torch?.words.at(-1), "torch");
    assert.ok(torch.words.includes("--index-url") && torch.words.includes("--proxy"));
    assert.ok(torch.words.includes("--constraint"));
    assert.ok(!rest?.words.includes("--index-url"));

    const failing = "downloading PyTorch for the processor";
    assert.equal(await environment.install("python3", wheel, [], pretend(environment, failing), "processor"), null);
    assert.ok(await environment.command() !== null);
  });

test("the versions that were tested are those beside the wheel, or those of the checkout", () => {
  assert.equal(constraintsOf(wheel), path.join(root, "constraints.txt"));
  assert.equal(constraintsOf(root), path.join(root, "server", "constraints.txt"));
  assert.ok(existsSync(constraintsOf(path.join(process.cwd(), ".."))));
});

test("on Windows, the environment's Python is in its folder Scripts", () => {
  assert.equal(
    new Environment(storage, "win32").python, path.join(storage, "environment", "Scripts", "python.exe"));
});

test("the package is the extension's wheel, else the checkout, else none", async () => {
  const checkout = path.join(root, "checkout");
  const extension = path.join(checkout, "client-vscode");
  mkdirSync(extension, { recursive: true });
  assert.equal(await packageOf(extension), null);

  mkdirSync(path.join(checkout, "server", "dovetail"), { recursive: true });
  writeFileSync(path.join(checkout, "server", "dovetail", "__main__.py"), "");
  assert.equal(await packageOf(extension), checkout);

  mkdirSync(path.join(extension, "server"));
  writeFileSync(path.join(extension, "server", path.basename(wheel)), "");
  assert.equal(await packageOf(extension), path.join(extension, "server", path.basename(wheel)));
});
