/** A lock between windows: the holder has a file, named after its process, in a shared folder. */

import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import * as path from "node:path";

const PREFIX = "installing-";

/** Milliseconds between two updates of the holder's file. */
const BEAT = 5_000;

/** Milliseconds after which a file without updates is stale, even if its process id is in use again. */
const PATIENCE = 60_000;

/**
 * A lock that at most one process holds.
 *
 * A process writes its own file first and then looks for the files of others. If two processes come at the same time,
 * both may give up, but never do both continue. Nothing needs to be removed after a crash, so no process can remove
 * a file that another has just written.
 */
export class Lock {
  private readonly own: string;
  private isHeld = false;

  constructor(private readonly folder: string, pid: number = process.pid) {
    this.own = `${PREFIX}${pid}`;
  }

  /** Do the work and return its result; return undefined without doing it if another process holds the lock. */
  async hold<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.isHeld) {
      return undefined;
    }
    this.isHeld = true;
    const file = path.join(this.folder, this.own);
    const beating = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), BEAT);
    try {
      await mkdir(this.folder, { recursive: true });
      await writeFile(file, "");
      return await this.isTaken() ? undefined : await work();
    } finally {
      clearInterval(beating);
      await rm(file, { force: true });
      this.isHeld = false;
    }
  }

  /** Return whether another process holds the lock. */
  private async isTaken(): Promise<boolean> {
    const others = (await readdir(this.folder)).filter((name) => name.startsWith(PREFIX) && name !== this.own);
    const atWork = await Promise.all(others.map(async (name) =>
      isAlive(Number(name.slice(PREFIX.length))) && await isFresh(path.join(this.folder, name))));
    return atWork.includes(true);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";      // it exists and belongs to another user
  }
}

async function isFresh(file: string): Promise<boolean> {
  return stat(file).then(({ mtimeMs }) => Date.now() - mtimeMs < PATIENCE, () => false);
}
