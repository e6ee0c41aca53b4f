/** The key of the team's host: VS Code's secret storage keeps it, and the server finds it in its environment. */

/** The environment variable that the server reads: the address, a blank, and the key. */
const VARIABLE = "DOVETAIL_TEAM_KEY";

/** The part of VS Code's `SecretStorage` that is needed. */
export interface Secrets {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/** Return the address of the setting `team.host`, or null if it names none. */
export function hostOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** Keep the key of a host; an empty one is forgotten. Each address has its own, so that no other host is sent it. */
export async function keepKey(secrets: Secrets, host: string, key: string): Promise<void> {
  await (key.trim() === "" ? secrets.delete(nameOf(host)) : secrets.store(nameOf(host), key.trim()));
}

/** Return the environment of a server: the variables of VS Code's own, and the key of the host if one is kept. */
export async function withKey(
  variables: NodeJS.ProcessEnv, host: string | null, secrets: Secrets,
): Promise<NodeJS.ProcessEnv> {
  const key = host === null ? undefined : await secrets.get(nameOf(host));
  return key === undefined ? variables : { ...variables, [VARIABLE]: `${host} ${key}` };
}

function nameOf(host: string): string {
  return `team key of ${host}`;
}
