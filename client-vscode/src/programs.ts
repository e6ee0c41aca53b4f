/** Programs on this machine: finding them and reading their output. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import * as path from "node:path";

/** The exit code and output of a program; the code is null if it could not be started or was killed. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. `cwd` must not be a workspace: Python could import files from there. */
export type Run = (program: string, words: readonly string[], cwd: string) => Promise<Outcome>;

/** Milliseconds after which a program is killed. */
const PATIENCE = 30_000;

/** Scripts that only the Windows shell runs. Node refuses to start them without a shell, and a shell would be unsafe. */
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
 * Only absolute folders are searched: a relative one could lie in the open workspace.
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

/** Return whether a file exists. */
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
