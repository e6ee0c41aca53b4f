/** Work that one window at a time may do: who is at it has a file, named by its process, in the folder they share. */

import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import * as path from "node:path";

const PREFIX = "installing-";

/** Milliseconds between two signs of life. */
const BEAT = 5_000;

/** Milliseconds without one after which a file is a dead process's, though another may have got its number since. */
const PATIENCE = 60_000;

/**
 * Held by one process at most.
 *
 * Who wants it puts its own file there first, and looks for those of others second: of two that come at once both may
 * give way, and never do both go on. Nothing has to be cleared away after a crash, and so nobody can clear away what
 * another has just made.
 */
export class Lock {
  private readonly own: string;
  private isHeld = false;

  constructor(private readonly folder: string, pid: number = process.pid) {
    this.own = `${PREFIX}${pid}`;
  }

  /** Do work and return what it returns, or undefined without having done it where somebody is at it. */
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

  /** Return whether another process is at it. */
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
    return (error as NodeJS.ErrnoException).code === "EPERM";      // there, and another user's
  }
}

async function isFresh(file: string): Promise<boolean> {
  return stat(file).then(({ mtimeMs }) => Date.now() - mtimeMs < PATIENCE, () => false);
}
