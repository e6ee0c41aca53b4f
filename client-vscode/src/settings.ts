/** The settings: reading them, changing them, and translating them for the server. */

/** The settings that are sent to the server, by their names below `dovetail`. */
export const SERVER_SETTINGS = [
  "model", "trigger", "debounce", "unchecked", "maxCharacters", "maxTokens", "timeLimit", "shape", "minCharacters", "candidates",
  "temperature", "topP", "promptOrder", "go.targetVersion",
  "javascript.targetVersion", "javascriptreact.targetVersion", "jsonc.targetVersion", "lua.targetVersion",
  "python.targetVersion", "python.notebookCommands", "typescript.targetVersion", "typescriptreact.targetVersion", "context", "fallbacks", "hangLimit", "host.shared", "host.idle",
  "team.host", "statistics",
] as const;

/** The settings whose change restarts the server; the key of a team's host is in its environment. */
export const RESTARTING_SETTINGS = ["enabled", "languages", "server.command", "team.host"] as const;

/** The part of VS Code's `WorkspaceConfiguration` that is needed for reading. */
export interface Configuration {
  get(name: string): unknown;
  inspect(name: string): { readonly defaultValue?: unknown; readonly workspaceValue?: unknown } | undefined;
}

/** The part that is needed for changing: in the user's settings, or else in the workspace's. */
export interface Changeable extends Configuration {
  update(name: string, value: unknown, ofUser: boolean): PromiseLike<void>;
}

/** Change a setting in the place that its present value comes from, so that the change takes effect; null unsets it. */
export async function change(configuration: Changeable, name: string, value: unknown): Promise<void> {
  const ofUser = configuration.inspect(name)?.workspaceValue === undefined;
  // In the workspace's settings null is written: without it the user's value would take effect.
  await configuration.update(name, value === null && ofUser ? undefined : value, ofUser);
}

/**
 * Return the server's initialization options: the settings that differ from their defaults, under the server's names.
 *
 * Defaults are left out, so that a server of another version receives no settings that it does not know.
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

/** Return the server's name for a setting: `serverName("python.targetVersion")` is `python.target_version`. */
export function serverName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Return the setting that switches languages; its default if it has another form. */
export function switchedLanguages(configuration: Configuration): Record<string, unknown> {
  const value = configuration.get("languages");
  const isRight = isMapping(value) && Object.values(value).every((on) => typeof on === "boolean");
  const taken = isRight ? value : configuration.inspect("languages")?.defaultValue;
  return isMapping(taken) ? taken : {};
}

/**
 * Return the setting after a language was switched: for a user what differs from the default, since VS Code merges the
 * two, and null if nothing does.
 */
export function switchedOver(configuration: Configuration, language: string): Record<string, unknown> | null {
  const languages = switchedLanguages(configuration);
  const switched = { ...languages, [language]: languages[language] !== true };
  const inspected = configuration.inspect("languages");
  if (inspected?.workspaceValue !== undefined) {
    return switched;
  }
  const known = inspected?.defaultValue;
  const usual = isMapping(known) ? known : {};
  const different = Object.entries(switched).filter(([name, on]) => on !== (usual[name] ?? false));
  return different.length === 0 ? null : Object.fromEntries(different);
}

/** Return the languages that the settings switch on, in alphabetical order. */
export function languagesOf(configuration: Configuration): string[] {
  return languagesOn(switchedLanguages(configuration));
}

/** Return the identifiers of the languages that are switched on, in alphabetical order. */
export function languagesOn(languages: unknown): string[] {
  return isMapping(languages)
    ? Object.keys(languages).filter((language) => languages[language] === true).sort()
    : [];
}

/** Return the words of a value; none if it is no list of strings. */
export function wordsOf(value: unknown): string[] {
  return Array.isArray(value) && value.every((word): word is string => typeof word === "string") ? value : [];
}

/** Return the words of a command from the settings, or null if it is empty or not a list of strings. */
export function commandOf(value: unknown): readonly [string, ...string[]] | null {
  const [program, ...words] = wordsOf(value);
  return program === undefined || program.trim() === "" ? null : [program, ...words];
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
