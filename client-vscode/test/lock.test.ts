import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, beforeEach, test } from "node:test";
import { Lock } from "../src/lock";

const root = mkdtempSync(path.join(tmpdir(), "dovetail-"));
after(() => rmSync(root, { recursive: true }));
const storage = path.join(root, "storage");
beforeEach(() => rmSync(storage, { recursive: true, force: true }));

const mine = (): Lock => new Lock(storage);
/** The lock of another window, whose process is running. */
const theirs = (): Lock => new Lock(storage, process.ppid);
const work = (): Promise<string> => Promise.resolve("done");

/** Leave the file of a process that holds the lock. */
function leave(pid: number): string {
  const file = path.join(storage, `installing-${pid}`);
  mkdirSync(storage, { recursive: true });
  writeFileSync(file, "");
  return file;
}

test("while one window holds the lock no other gets it, and afterwards any window does", async () => {
  let refused: unknown = "";
  const done = await mine().hold(async () => {
    refused = await theirs().hold(work);
    return work();
  });

  assert.deepEqual([done, refused], ["done", undefined]);
  assert.equal(await theirs().hold(work), "done");
  assert.deepEqual(readdirSync(storage), []);
});

test("a window that holds the lock does not get it a second time", async () => {
  const lock = mine();

  assert.deepEqual(await Promise.all([lock.hold(work), lock.hold(work)]), ["done", undefined]);
  assert.equal(await lock.hold(work), "done");
});

test("of two windows that come at once, never both get the lock", async () => {
  for (let count = 0; count < 50; count += 1) {
    let [running, most] = [0, 0];
    const slowly = async (): Promise<void> => {
      most = Math.max(most, running += 1);
      await new Promise(setImmediate);
      running -= 1;
    };
    await Promise.all([mine().hold(slowly), theirs().hold(slowly)]);

    assert.ok(most <= 1);
  }
});

test("work that fails releases the lock", async () => {
  await assert.rejects(mine().hold(() => Promise.reject(new Error("failed"))), /failed/);

  assert.equal(await theirs().hold(work), "done");
});

test("the file of a process that has ended does not hold the lock", async () => {
  leave(spawnSync(process.execPath, ["-e", ""]).pid);
  leave(process.pid);      // an earlier process had the same id

  assert.equal(await mine().hold(work), "done");
});

test("a stale file does not hold the lock, even if its process id is in use again", async () => {
  const file = leave(process.ppid);
  assert.equal(await mine().hold(work), undefined);

  const longAgo = Date.now() / 1000 - 120;
  utimesSync(file, longAgo, longAgo);

  assert.equal(await mine().hold(work), "done");
});
