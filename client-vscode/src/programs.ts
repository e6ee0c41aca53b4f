/** Programs on this machine: where they are, and what they print. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import * as path from "node:path";

/** A program that ended: its exit code (null if it could not be started or was killed) and what it wrote. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program is run to its end; `cwd` is never a workspace, whose files Python could import. */
export type Run = (program: string, words: readonly string[], cwd: string) => Promise<Outcome>;

/** Milliseconds after which a program that was asked for its version is not waited for. */
const PATIENCE = 30_000;

/** What only Windows' shell runs, which may take words for commands: Node throws where these are started without it. */
const SCRIPTS: readonly string[] = [".bat", ".cmd"];

/** Run a program to its end. */
export const run: Run = (program, words, cwd) =>
  new Promise((resolve) => {
    try {
      execFile(program, [...words], { cwd, timeout: PATIENCE, windowsHide: true }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, stdout, stderr });
      });
    } catch (error) {
      resolve({ code: null, stdout: "", stderr: String(error) });
    }
  });

/**
 * Return the full path of a program on a search path, or null.
 *
 * Only absolute folders are searched: a relative one would mean whatever workspace is open.
 */
export async function onPath(
  program: string, environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  const folders = (environment.PATH ?? environment.Path ?? "").split(platform === "win32" ? ";" : ":");
  const endings = platform === "win32"
    ? (environment.PATHEXT ?? ".EXE").split(";").filter((ending) => !SCRIPTS.includes(ending.toLowerCase()))
    : [""];
  for (const folder of folders.filter((folder) => path.isAbsolute(folder))) {
    for (const ending of endings) {
      const file = path.join(folder, `${program}${ending}`);
      if (await isExecutable(file)) {
        return file;
      }
    }
  }
  return null;
}

/** Return whether a file is there. */
export async function isThere(file: string): Promise<boolean> {
  return access(file).then(() => true, () => false);
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
