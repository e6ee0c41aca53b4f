/** Values of settings that only the extension reads: the server never sees them, so their mistakes are found here. */

import { languagesOn, type Configuration } from "./settings";
import { nearest } from "./unknown_settings";

/** The part of JSON Schema with which the manifest declares settings. */
export interface Declared {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Declared;
  readonly additionalProperties?: Declared;
}

/** Return whether a value has the form that is declared. */
export function fits(value: unknown, declared: Declared): boolean {
  if (declared.enum !== undefined && !declared.enum.includes(value)) {
    return false;
  }
  const types = declared.type === undefined ? [] : [declared.type].flat();
  if (types.length > 0 && !types.includes(typeOf(value))) {
    return false;
  }
  const { items, additionalProperties: others } = declared;
  if (Array.isArray(value)) {
    return items === undefined || value.every((item) => fits(item, items));
  }
  return others === undefined || typeOf(value) !== "object"
    || Object.values(value as object).every((below) => fits(below, others));
}

/** Return a sentence for each of these settings whose value has another form than is declared. */
export function mistakesIn(configuration: Configuration, declared: Readonly<Record<string, Declared>>): string[] {
  return Object.entries(declared).filter(([name, form]) => !fits(configuration.get(name), form)).flatMap(([name, form]) => {
    const value = configuration.get(name);
    const taken = JSON.stringify(configuration.inspect(name)?.defaultValue ?? null);
    const instead = `${taken.length > LONGEST ? "the default" : `\`${taken}\``} is taken.`;
    const below = form.additionalProperties;
    if (below === undefined || typeOf(value) !== "object") {
      return [`The setting \`dovetail.${name}\` has to be ${wanted(form)}, not \`${JSON.stringify(value)}\`; ${instead}`];
    }
    // VS Code hands out the defaults with what the user has written: only the wrong key is of interest.
    return Object.entries(value as object).filter(([, one]) => !fits(one, below)).map(([key, one]) =>
      `\`${key}\` in \`dovetail.${name}\` has to be ${wanted(below)}, not \`${JSON.stringify(one)}\`; ${instead}`);
  });
}

/** Return a sentence for each language in `dovetail.languages` that neither the editor nor Dovetail knows. */
export function mistakesInLanguages(configuration: Configuration, ofEditor: readonly string[]): string[] {
  const value = configuration.get("languages");
  const own = languagesOn(configuration.inspect("languages")?.defaultValue);
  const names = typeOf(value) === "object" ? Object.keys(value as object) : [];
  return names.filter((name) => !own.includes(name) && !ofEditor.includes(name)).map((name) => {
    const near = nearest(name, own) ?? nearest(name, ofEditor);
    return `\`${name}\` in \`dovetail.languages\` is the name of no language${near === null ? "." : `: did you mean \`${near}\`?`}`;
  });
}

/** Return the message of a status without the mistakes in the settings, with which it ends. */
export function apartFrom(mistakes: readonly string[], message: string): string {
  const last = ` ${mistakes.join(" ")}`;
  return message.endsWith(last) ? message.slice(0, -last.length) : message;
}

/** The characters of a default that is written out. */
const LONGEST = 20;

/** Return words for the values that are declared. */
function wanted(declared: Declared): string {
  if (declared.enum !== undefined) {
    return `one of ${declared.enum.map((value) => `\`${String(value)}\``).join(", ")}`;
  }
  switch ([declared.type].flat()[0]) {
    case "array":
      return 'a list of texts such as `["one", "two"]`';
    case "object":
      return 'an object such as `{ "python": true }`';
    case "boolean":
      return "true or false";
    default:
      return "a text";
  }
}

function typeOf(value: unknown): string {
  return value === null || value === undefined ? "null" : Array.isArray(value) ? "array" : typeof value;
}
