/** Versions of VS Code that request suggestions by hand again, see `second_request.ts`. */

/** The first version with which that was tried; for older ones all suggestions come in one answer. */
const SINCE = [1, 139] as const;

/** Return whether VS Code of a version such as `1.139.0` requests suggestions again once there is another provider. */
export function asksAgain(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return major > SINCE[0] || (major === SINCE[0] && minor >= SINCE[1]);
}
