/** The Python with which the server's environment is made. */

import { onPath, type Run } from "./programs";

/** The oldest Python that the server runs on. */
export const OLDEST: readonly [number, number] = [3, 11];

const ASK = "import ensurepip, sys, venv; print(sys.version_info[0], sys.version_info[1])";
/* Debian leaves `ensurepip` out of a plain Python; one without it cannot make an environment. */

const NAMES = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

/** A Python that can make the environment, or the sentence that says why there is none. */
export type Found = { readonly python: string } | { readonly complaint: string };

/**
 * Find a Python that is young enough and can make environments.
 *
 * `chosen` is the one that the user names; nothing else is tried then. An empty text names none.
 */
export async function findPython(
  chosen: string | null, environment: NodeJS.ProcessEnv, run: Run, cwd: string,
): Promise<Found> {
  if (chosen !== null && chosen.trim() !== "") {
    const complaint = await complaintAbout(chosen, run, cwd);
    return complaint === null ? { python: chosen } : { complaint };
  }
  let complaint: string | null = null;
  for (const name of NAMES) {
    const python = await onPath(name, environment);
    if (python !== null) {
      const reason = await complaintAbout(python, run, cwd);
      if (reason === null) {
        return { python };
      }
      complaint ??= reason;
    }
  }
  return {
    complaint: complaint
      ?? `There is no Python on the PATH: install Python ${OLDEST.join(".")} or later, or name one in \`dovetail.server.python\`.`,
  };
}

/** Return why a Python does not serve, or null if it does. */
async function complaintAbout(python: string, run: Run, cwd: string): Promise<string | null> {
  const { code, stdout, stderr } = await run(python, ["-I", "-c", ASK], cwd);
  if (/No module named '?(ensurepip|venv)/.test(stderr)) {
    return `${python} cannot make environments: install the package python3-venv, or name another Python in \`dovetail.server.python\`.`;
  }
  const version = /^(\d+) (\d+)\s*$/.exec(stdout);
  if (code !== 0 || version === null) {
    return `${python} could not be run: name a Python ${OLDEST.join(".")} or later in \`dovetail.server.python\`.`;
  }
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
    ? null
    : `${python} is Python ${major}.${minor}, and the server needs ${OLDEST.join(".")} or later: name another in \`dovetail.server.python\`.`;
}
