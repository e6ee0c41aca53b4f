/** What a user may set, and what the server is told of it. */

/** The settings that the server reads, by their names in VS Code below `dovetail`. */
export const SERVER_SETTINGS = [
  "model", "debounce", "unchecked", "maxCharacters", "maxTokens", "timeLimit", "shape", "minCharacters", "candidates",
  "temperature", "topP", "promptOrder", "python.targetVersion", "python.notebookCommands", "fallbacks",
  "hangLimit",
] as const;

/** The settings after whose change the server is started anew; of the others it is told while it runs. */
export const RESTARTING_SETTINGS = ["enabled", "languages", "server.command"] as const;

/** A configuration as VS Code has it: the value that holds, and the default. */
export interface Configuration {
  get(name: string): unknown;
  inspect(name: string): { readonly defaultValue?: unknown; readonly workspaceValue?: unknown } | undefined;
}

/** One that can be changed: in the user's settings, or else in the workspace's. */
export interface Changeable extends Configuration {
  update(name: string, value: unknown, ofUser: boolean): PromiseLike<void>;
}

/** Change a setting where the value that holds was set, so that the change holds too; null makes it nothing. */
export async function change(configuration: Changeable, name: string, value: unknown): Promise<void> {
  const ofUser = configuration.inspect(name)?.workspaceValue === undefined;
  // In the workspace's settings nothing has to be said, for without it the user's would hold.
  await configuration.update(name, value === null && ofUser ? undefined : value, ofUser);
}

/**
 * Return the server's initialization options: the settings that differ from their defaults, under its own names.
 *
 * Defaults are left out so that a server of another version is not told of settings that it does not know.
 */
export function initializationOptions(configuration: Configuration): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const name of SERVER_SETTINGS) {
    const value = configuration.get(name);
    const isDefault = JSON.stringify(value) === JSON.stringify(configuration.inspect(name)?.defaultValue);
    if (value !== undefined && value !== null && value !== "" && !isDefault) {
      options[serverName(name)] = value;
    }
  }
  return options;
}

/** Return the server's name of a setting: `serverName("python.targetVersion")` is `python.target_version`. */
export function serverName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Return the identifiers of the languages that are switched on, in alphabetical order. */
export function languagesOn(languages: unknown): string[] {
  return isMapping(languages)
    ? Object.keys(languages).filter((language) => languages[language] === true).sort()
    : [];
}

/** Return the words of a command that a user wrote, or null where there is none. */
export function commandOf(value: unknown): readonly [string, ...string[]] | null {
  if (!Array.isArray(value) || !value.every((word): word is string => typeof word === "string")) {
    return null;
  }
  const [program, ...words] = value;
  return program === undefined || program.trim() === "" ? null : [program, ...words];
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
