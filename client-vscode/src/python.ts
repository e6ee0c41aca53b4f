/** The Python that creates the server's environment. */

import { onPath, type Run } from "./programs";

/** The oldest version of Python that the server supports. */
export const OLDEST: readonly [number, number] = [3, 11];

const ASK = "import ensurepip, sys, venv; print(sys.version_info[0], sys.version_info[1])";
/* Debian ships Python without `ensurepip`, which is needed to create an environment. */

const NAMES = ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

/** A Python that can create the environment, or a sentence that says why none was found. */
export type Found = { readonly python: string } | { readonly complaint: string };

/**
 * Find a Python that is recent enough and can create environments.
 *
 * `chosen` is the path that the user has set, if any. If it is not empty, nothing else is tried.
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
      ?? `There is no Python on the PATH. Install Python ${OLDEST.join(".")} or later, or set its path in \`dovetail.server.python\`.`,
  };
}

/** Return a sentence that says why a Python cannot be used, or null if it can. */
async function complaintAbout(python: string, run: Run, cwd: string): Promise<string | null> {
  const { code, stdout, stderr } = await run(python, ["-I", "-c", ASK], cwd);
  if (/No module named '?(ensurepip|venv)/.test(stderr)) {
    return `${python} cannot create environments. Install the package python3-venv, or set another Python in \`dovetail.server.python\`.`;
  }
  const version = /^(\d+) (\d+)\s*$/.exec(stdout);
  if (code !== 0 || version === null) {
    return `${python} could not be run. Set the path of Python ${OLDEST.join(".")} or later in \`dovetail.server.python\`.`;
  }
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
    ? null
    : `${python} is Python ${major}.${minor}, but the server needs ${OLDEST.join(".")} or later. Set another Python in \`dovetail.server.python\`.`;
}
